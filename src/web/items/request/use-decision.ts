// Carries out the decision on a request (decision.ts): sends it, lets the person undo it while the server holds it, and
// reports the outcome. A decision outlives its view, because the next request opens as soon as one is decided.

import { useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { type Change, changesBetween } from '../../../core/requests/changes.ts'
import { CallRefusal, call, isUnanswered, makeKey } from '../../api/call.ts'
import { asking, me, queries } from '../../api/queries.ts'
import { returnDrafts, type TakenDrafts, takeDrafts, takeDraftsAgain } from '../../live/drafts.ts'
import { useLive } from '../../live/live.ts'
import { createStore } from '../../ui/store.ts'
import { dismissToast, showToast } from '../../ui/toasts.tsx'
import {
  beginDecision,
  type DecisionEvent,
  type DecisionState,
  follow,
  hear,
  isOutstanding,
  mayDecide,
  type ShownRequest,
} from './decision.ts'
import {
  type DecisionName,
  partsOf,
  refetch,
  type VerdictParts,
  type WholeRequest,
} from './request-query.ts'

const COLD_MS = 300

const ACTION_OF: Record<DecisionName, string> = {
  approve: 'approve',
  reject: 'reject',
  'request-revision': 'request_revision',
}

const MOVES = [...Object.values(ACTION_OF), 'resubmit']

type SentDecision = { verdict: DecisionName; revision: number; parts: VerdictParts; key: string }
type State = DecisionState<SentDecision>

export type RequestDecision = {
  state: State
  /** Whether this person can act on the request at all, now or after reading the latest revision. */
  isOpen: boolean
  /** The later revision that arrived while the person was reading, and how it differs. */
  revised: LaterRevision | null
  can: (action: string) => boolean
  decide: (verdict: DecisionName, parts?: VerdictParts) => void
  again: () => void
  /** Call this when the person has seen or written this revision. */
  see: (revision: number) => void
}

export type LaterRevision = {
  from: number
  to: number
  by: string
  at: string
  changes: readonly Change[]
}

/** `onDecided` opens the next request. */
export function useDecision(whole: WholeRequest, onDecided?: () => void): RequestDecision {
  const { request, actions, revisions } = whole
  const { request_id: id, revision } = request
  const isOffline = useLive().state === 'offline'
  const shown = useMemo(() => showRequest(whole, isOffline), [whole, isOffline])
  const stored = useSyncExternalStore(changes.watch, () => states.get(id))
  // Applied while rendering, so that buttons never act on the state of the previous render.
  const state = useMemo(() => hear(stored ?? beginDecision(shown), shown) as State, [stored, shown])
  useLayoutEffect(() => {
    if (states.get(id) === stored && state !== stored) put(id, state)
  }, [id, stored, state])
  useEffect(() => {
    open.add(id)
    return () => leave(id)
  }, [id])
  const { phase, about, read } = state
  const shownFor = `${about} ${read}`
  useEffect(() => {
    if (phase !== 'cold' || shownFor === '') return
    const timer = setTimeout(() => dispatch(id, 'warmed'), COLD_MS)
    return () => clearTimeout(timer)
  }, [id, phase, shownFor])
  const goOn = useRef(onDecided)
  useEffect(() => {
    goOn.current = onDecided
    return () => {
      goOn.current = undefined
    }
  }, [onDecided])
  const can = (action: string) => actions.includes(action) && mayDecide(state)
  const decide = (verdict: DecisionName, parts: VerdictParts = {}) => {
    const now = states.get(id)
    // Checked again here, because a key handler or a dialog may be from an older render.
    if (now === undefined || !mayDecide(now) || !actions.includes(ACTION_OF[verdict])) return
    void send(whole, { verdict, revision: now.read, parts, key: makeKey() }, () => {
      goOn.current?.()
    })
  }
  const again = () => {
    const { sent } = states.get(id) ?? {}
    if (sent) decide(sent.verdict, sent.parts)
  }
  const see = (seen: number) => dispatch(id, 'seen', { read: seen })
  const revised = useMemo((): LaterRevision | null => {
    const [from, to] = [revisions[read - 1], revisions[revision - 1]]
    if (read === revision || from === undefined || to === undefined) return null
    const changes = changesBetween(withConsequence(from), withConsequence(to))
    return { from: read, to: revision, by: to.by, at: to.at, changes }
  }, [revisions, read, revision])
  return { state, isOpen: shown.standing === 'open', revised, can, decide, again, see }
}

function showRequest({ request, actions }: WholeRequest, isOffline: boolean): ShownRequest {
  const { revision, status, held_until } = request
  const isOpen = held_until === null && MOVES.some((move) => actions.includes(move))
  const standing = isOpen ? 'open' : held_until === null ? 'over' : 'held'
  return { revision, about: `${revision} ${status} ${held_until}`, standing, isOffline }
}

/** Includes the consequence, because the bar shows it and has to show when it changes. */
function withConsequence(revision: WholeRequest['revisions'][number]) {
  return { ...partsOf(revision), consequence: revision.consequence }
}

const states = new Map<string, State>()
const open = new Set<string>()
const changes = createStore(0)

function put(id: string, state: State | null): void {
  if (state === null) states.delete(id)
  else states.set(id, state)
  changes.set(changes.get() + 1)
}

/** The state for undoing a decision after its request was closed, either from the toast or along with others. */
const CLOSED: State = {
  phase: 'held',
  read: 0,
  about: '',
  isOffline: false,
  sent: null,
  error: null,
  undoKey: '',
}

function dispatch(id: string, event: DecisionEvent, change: Partial<State> = {}): void {
  const state = states.get(id) ?? (event === 'undo' ? CLOSED : undefined)
  if (state === undefined) return
  const next = follow(state, event, change)
  put(id, open.has(id) || isOutstanding(next) ? next : null)
}

function leave(id: string): void {
  open.delete(id)
  const state = states.get(id)
  if (state !== undefined && !isOutstanding(state)) put(id, null)
}

/** Forgets this page's state for a request, because it's about to be decided again along with others. */
export function forgetDecision(id: string): void {
  put(id, null)
}

/** How many seconds the server holds a decision. People who need more time can choose a longer hold. */
export const GRACE_SETTING = 'grace'
export const GRACES = [5, 10, 20]

export function graceSeconds(): number {
  const chosen = Number(localStorage.getItem(GRACE_SETTING))
  return GRACES.includes(chosen) ? chosen : 5
}

const DONE: Record<DecisionName, string> = {
  approve: 'Approved',
  reject: 'Rejected',
  'request-revision': 'Requested a revision of',
}
const DONE_WITH_QUESTION = { ...DONE, approve: 'Answered', reject: 'Declined' }

async function send(
  { request }: WholeRequest,
  wish: SentDecision,
  goOn: () => void,
): Promise<void> {
  const { request_id: id, title, requester, type } = request
  const before = states.get(id)
  const isAgain = before?.phase === 'unknown' && isSameDecision(before.sent, wish)
  const sent = isAgain && before?.sent ? before.sent : wish
  dispatch(id, 'decide', { sent, error: null })
  let held_until: string | null
  try {
    held_until = (await callDecision(id, sent)).held_until
  } catch (error) {
    const isLost = isUnanswered(error as Error)
    dispatch(id, isLost ? 'unanswered' : 'refused', { error: error as Error })
    reportFailure(id, title, error as Error)
    // After a refusal, the page shows the request's current state.
    void refetch(id)
    return
  }
  dispatch(id, 'taken')
  taken.set(id, takeDrafts(draftKeysOf(id)))
  const done = type === 'question' ? DONE_WITH_QUESTION : DONE
  const text = `${done[sent.verdict]} “${title}”`
  // The first call may have been long ago, so the time left to undo isn't known here. The request shows it.
  const canUndo = !isAgain && held_until !== null
  if (!isAgain) goOn()
  showToast({ id, text, ...(canUndo ? graceOf([id], id, requester) : {}) })
  await refetch(id)
  dispatch(id, 'refreshed')
}

function isSameDecision(before: SentDecision | null, next: SentDecision): boolean {
  const bodyOf = (one: SentDecision | null) => JSON.stringify({ ...one, key: '' })
  return bodyOf(before) === bodyOf(next)
}

function callDecision(id: string, { verdict, revision, parts, key }: SentDecision) {
  const input = { request: id, revision, grace_seconds: graceSeconds(), ...parts }
  if (verdict === 'approve') return call('approve', input, { key })
  if (verdict === 'reject') return call('reject', input, { key })
  return call('request-revision', { ...input, notes: parts.notes ?? '' }, { key })
}

/** The part of a toast that undoes decisions. Its countdown starts now, as the server's clock may differ from ours. */
export function graceOf(ids: readonly string[], notice: string, who: string) {
  const seconds = graceSeconds()
  const until = Date.now() + seconds * 1000
  const run = () => {
    dismissToast(notice)
    void undoDecisions(ids, until, notice)
  }
  return { more: `${who} will be notified in ${seconds} sec`, undo: { run, until } }
}

function reportFailure(id: string, title: string, error: Error): void {
  if (error instanceof CallRefusal && error.code === 'invalid_state') {
    void tellWhoWasFaster(id, title)
    return
  }
  if (location.pathname.endsWith(`/${id}`)) return
  // The request is no longer open, so its bar can't report the failure.
  const text = isUnanswered(error)
    ? `Your decision about “${title}” may not have arrived. Open the request to check.`
    : `Your decision on “${title}” wasn’t recorded: it has changed since you read it.`
  showToast({ id, text, isFailure: true })
}

/** Keyed by the held move or the status. */
const DID: Record<string, string> = {
  approve: 'approved this',
  approved: 'approved this',
  reject: 'rejected this',
  rejected: 'rejected this',
  request_revision: 'requested a revision',
  revision_requested: 'requested a revision',
  cancelled: 'withdrew this',
}

/** The same person may have decided in another tab or in a shell. */
async function tellWhoWasFaster(id: string, title: string): Promise<void> {
  const whole = await fetchRequest(id)
  const own = queries.getQueryData(me.queryKey)?.principal.name
  const { held_move = null, held_by = null, decided_by = null, status = '' } = whole?.request ?? {}
  const by = (held_by ?? decided_by ?? '').replace(/^(agent|user):/, '')
  const did = DID[held_move ?? status]
  const text =
    by === '' || did === undefined
      ? `Your decision on “${title}” wasn’t recorded: it is no longer pending.`
      : by === own
        ? `You ${did} in another tab or in a shell`
        : `${by} ${did}`
  showToast({ id, text })
}

function fetchRequest(id: string): Promise<WholeRequest | null> {
  const asked = { ...asking('request get', { request: id }), staleTime: 0 }
  return queries.fetchQuery(asked).catch(() => null)
}

export function draftKeyOf(verdict: DecisionName, id: string): string {
  return `${verdict}:${id}`
}

export function editKeyOf(id: string): string {
  return `edit:${id}`
}

function draftKeysOf(id: string): string[] {
  const verdicts = Object.keys(ACTION_OF) as DecisionName[]
  return [...verdicts.map((verdict) => draftKeyOf(verdict, id)), editKeyOf(id)]
}

/** The drafts removed by decisions that can still be undone. */
const taken = new Map<string, TakenDrafts>()

export const LATE = 'It was too late to undo this'

type UndoResult = 'undone' | 'already' | 'unsent' | 'late' | Error

/** Undoes decisions that were made together, with one toast for all of them. `until` is on this page's clock. */
export async function undoDecisions(
  ids: readonly string[],
  until: number,
  notice = ids.join(),
  /** How many of these decisions an earlier attempt failed to undo. */
  lostBefore = 0,
): Promise<void> {
  const free = ids.filter((id) => states.get(id)?.phase !== 'undoing')
  if (free.length === 0) return
  const results = await Promise.all(free.map((id) => undoOne(id, until)))
  void refetch(...free)
  const unsent = free.filter((_, at) => results[at] === 'unsent')
  const errors = results.filter((one) => one instanceof Error)
  const lost = lostBefore + errors.length + results.filter((one) => one === 'late').length
  if (unsent.length > 0) return offerUndoAgain(unsent, until, notice, lost)
  if (errors.length > 0) {
    const what = ids.length === 1 ? 'this' : lost === 1 ? 'one of them' : `${lost} of them`
    const text = `Couldn’t undo ${what}: ${errors[0]?.message}`
    return showToast({ id: notice, text, isFailure: true })
  }
  if (lost > 0) return tellLate(lost, ids.length === 1 && lostBefore === 0, notice)
  const text = results.includes('undone') ? 'Undone' : 'It was already undone'
  showToast({ id: notice, text: `${text}. Nothing was decided.` })
}

async function undoOne(id: string, until: number): Promise<UndoResult> {
  const before = states.get(id)
  // Reuse the key after a lost response, so that the decision isn't undone twice.
  const key = before?.phase === 'unsent' ? before.undoKey : makeKey()
  dispatch(id, 'undo', { undoKey: key })
  // Before the call, because the page may learn of the undo before the call returns.
  returnDrafts(taken.get(id) ?? new Map())
  const result = await call('undo-decision', { request: id }, { key }).then(
    () => 'undone' as const,
    (error: Error) => {
      if (!isUnanswered(error)) return undoRefusal(id, error)
      return Date.now() < until ? 'unsent' : 'late'
    },
  )
  if (result === 'late') takeDraftsAgain(taken.get(id) ?? new Map())
  if (result instanceof Error) dispatch(id, 'refreshed')
  else dispatch(id, EVENT_OF[result])
  return result
}

const EVENT_OF = {
  undone: 'undone',
  already: 'undone',
  unsent: 'unreached',
  late: 'missed',
} as const

async function undoRefusal(id: string, error: Error): Promise<UndoResult> {
  if (!(error instanceof CallRefusal) || error.code !== 'invalid_state') return error
  const whole = await fetchRequest(id)
  return whole !== null && whole.request.decided_at === null ? 'already' : 'late'
}

function offerUndoAgain(ids: readonly string[], until: number, notice: string, lost: number): void {
  showToast({
    id: notice,
    text: 'Couldn’t undo it yet: the server can’t be reached.',
    action: { title: 'Try again', run: () => void undoDecisions(ids, until, notice, lost) },
    isFailure: true,
  })
  const keys = new Map(ids.map((id) => [id, states.get(id)?.undoKey]))
  setTimeout(() => {
    const late = ids.filter((id) => {
      const state = states.get(id)
      return state?.phase === 'unsent' && state.undoKey === keys.get(id)
    })
    for (const id of late) {
      dispatch(id, 'missed')
      takeDraftsAgain(taken.get(id) ?? new Map())
    }
    if (late.length > 0) tellLate(lost + late.length, ids.length === 1 && lost === 0, notice)
    void refetch(...late)
  }, until - Date.now())
}

function tellLate(late: number, isAlone: boolean, notice: string): void {
  const text = isAlone ? `${LATE}.` : `It was too late to undo ${late} of them.`
  showToast({ id: notice, text, isFailure: true })
}
