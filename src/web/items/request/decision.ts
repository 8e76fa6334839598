// The decision of one request on this page, as a state machine. This file only computes; use-decision.ts makes the calls
// and decision-bar.tsx draws the result.
//
//   changed
//      │ seen
//      ▼
//  ► cold ───── 300 ms ────► ready ──── decide ────► sending ─── no answer ───► unknown
//     ▲ ▲                                             │  │ ▲                       │
//     │ └──────────────────── refused ────────────────┘  │ └───── decide again ────┘
//     │                                                  │ taken
//     │                                                  ▼
//     └──── undone ──── undoing ◄─────── undo ───────── held ─── the grace ends ──► over
//                        │   ▲
//              no answer ▼   │ undo again
//                       unsent ─── the grace ends ──► late
//
// Not drawn: a refused undo leads from undoing to late, and a toast can undo a decision whose request was closed, which
// leads from over to undoing. The server's answers move it as well, except while a call is under way: a later revision
// leads to changed, a decision by someone else or in another tab to held or over, and anything else that differs to cold.
//
// (1) Cold: for a moment after a request is opened or changes, its buttons do nothing, so no one decides on
//     something they haven't seen.
// (2) A decision names the revision the person read. When a later one arrives, nothing can be decided until the person
//     says they have seen it.
// (3) A decision is never sent later. Without a connection it's refused and its text stays as a draft: by the time the
//     connection is back, the request may not be what the person saw. Answers to questions follow the same rule, in
//     requests and in work, because a question can be withdrawn. A reply decides nothing, so it waits in the outbox
//     (live/outbox.ts) and is sent when the connection is back.
// (4) A decision that's sent again after a lost response has the same key, so the server applies it only once.
// (5) A decision removes the drafts of its request. Undoing it restores them.

export const PHASES = [
  'cold',
  'ready',
  'changed',
  'sending',
  'unknown',
  'held',
  'undoing',
  'unsent',
  'late',
  'over',
] as const

export type Phase = (typeof PHASES)[number]

/** Events from the server, the clock, the person, the connection and the calls made here. */
export const EVENTS = [
  'altered',
  'revised',
  'held',
  'over',
  'warmed',
  'seen',
  'online',
  'decide',
  'taken',
  'refreshed',
  'refused',
  'unanswered',
  'undo',
  'undone',
  'unreached',
  'missed',
] as const

export type DecisionEvent = (typeof EVENTS)[number]

/** The next phase. An event that isn't listed changes nothing. */
const NEXT: Record<Phase, Partial<Record<DecisionEvent, Phase>>> = {
  cold: { revised: 'changed', held: 'held', over: 'over', warmed: 'ready' },
  ready: {
    altered: 'cold',
    revised: 'changed',
    held: 'held',
    over: 'over',
    seen: 'cold',
    online: 'cold',
    decide: 'sending',
  },
  changed: { held: 'held', over: 'over', seen: 'cold' },
  // The server may already show this decision, so only the call's response counts.
  sending: { taken: 'held', refused: 'cold', unanswered: 'unknown' },
  // Any change from the server counts as the missing response.
  unknown: { altered: 'cold', revised: 'changed', held: 'held', over: 'over', decide: 'sending' },
  // The page may not know yet that the decision is held, so only a fresh response counts.
  held: { altered: 'cold', revised: 'changed', over: 'over', refreshed: 'cold', undo: 'undoing' },
  undoing: { refreshed: 'cold', undone: 'cold', unreached: 'unsent', missed: 'late' },
  unsent: { altered: 'cold', revised: 'changed', over: 'late', undo: 'undoing', missed: 'late' },
  late: { altered: 'cold', revised: 'changed' },
  over: { altered: 'cold', revised: 'changed', held: 'held', undo: 'undoing' },
}

export type DecisionState<Sent = unknown> = {
  phase: Phase
  /** The revision the person has seen. */
  read: number
  /** The revision, status and hold the page last showed. */
  about: string
  isOffline: boolean
  /** The last decision sent from this page, and why it failed. */
  sent: Sent | null
  error: Error | null
  /** The idempotency key of an undo that may have reached the server. */
  undoKey: string
}

/** A request as the server shows it. `open` means that this person can still act on it. */
export type ShownRequest = {
  revision: number
  about: string
  standing: 'open' | 'held' | 'over'
  isOffline: boolean
}

export function beginDecision({ revision, about, isOffline }: ShownRequest): DecisionState {
  return { phase: 'cold', read: revision, about, isOffline, sent: null, error: null, undoKey: '' }
}

export function follow<State extends DecisionState>(
  state: State,
  event: DecisionEvent,
  change: Partial<State> = {},
): State {
  return { ...state, ...change, phase: NEXT[state.phase][event] ?? state.phase }
}

/** Returns the state after the page has shown `shown`. Applying the same update twice changes nothing. */
export function hear<State extends DecisionState>(state: State, shown: ShownRequest): State {
  const { revision, about, standing, isOffline } = shown
  // If an undo began while the request was closed on the page, its state has no revision yet.
  if (state.read === 0) return hear({ ...state, read: revision, about }, shown)
  const events: DecisionEvent[] = state.isOffline && !isOffline ? ['online'] : []
  if (standing !== 'open') events.push(standing)
  else if (revision > state.read) events.push('revised')
  else if (about !== state.about) events.push('altered')
  const next = events.reduce((before, event) => follow(before, event), state)
  const isSame =
    next.phase === state.phase && about === state.about && isOffline === state.isOffline
  return isSame ? state : { ...next, about, isOffline }
}

export function mayDecide({ phase, isOffline }: DecisionState): boolean {
  return (phase === 'ready' || phase === 'unknown') && !isOffline
}

/** Whether the state is kept after the request is closed. */
export function isOutstanding({ phase }: DecisionState): boolean {
  return ['sending', 'unknown', 'undoing', 'unsent', 'late'].includes(phase)
}
