import { expect, test } from 'bun:test'
import {
  beginDecision,
  type DecisionEvent,
  EVENTS,
  follow,
  hear,
  mayDecide,
  PHASES,
  type ShownRequest,
} from './decision.ts'

const SHOWN: ShownRequest = {
  revision: 1,
  about: '1 pending',
  standing: 'open',
  isOffline: false,
}

const START = beginDecision(SHOWN)

/** The next phase for each phase and event. A dot means no change. */
const TABLE = `
           cold     ready    changed  sending  unknown  held     undoing  unsent   late     over
altered    .        cold     .        .        cold     cold     .        cold     cold     cold
revised    changed  changed  .        .        changed  changed  .        changed  changed  changed
held       held     held     held     .        held     .        .        .        .        held
over       over     over     over     .        over     over     .        late     .        .
warmed     ready    .        .        .        .        .        .        .        .        .
seen       .        cold     cold     .        .        .        .        .        .        .
online     .        cold     .        .        .        .        .        .        .        .
decide     .        sending  .        .        sending  .        .        .        .        .
taken      .        .        .        held     .        .        .        .        .        .
refreshed  .        .        .        .        .        cold     cold     .        .        .
refused    .        .        .        cold     .        .        .        .        .        .
unanswered .        .        .        unknown  .        .        .        .        .        .
undo       .        .        .        .        .        undoing  .        undoing  .        undoing
undone     .        .        .        .        .        .        cold     .        .        .
unreached  .        .        .        .        .        .        unsent   .        .        .
missed     .        .        .        .        .        .        late     late     .        .
`

test('every event leads from each phase to the one in the table', () => {
  const row = (event: DecisionEvent) =>
    PHASES.map((phase) => {
      const next = follow({ ...START, phase }, event).phase
      return next === phase ? '.' : next
    })
  const table = [['', ...PHASES], ...EVENTS.map((event) => [event, ...row(event)])]
  const expected = TABLE.trim()
    .split('\n')
    .map((line, at) => [...(at === 0 ? [''] : []), ...line.trim().split(/ +/)])
  expect(table).toEqual(expected)
})

function play(events: DecisionEvent[], from = START) {
  return events.reduce((state, event) => follow(state, event), from)
}

test('a request can be decided only online, after it has been visible for a moment', () => {
  const offline = { ...SHOWN, isOffline: true }
  expect(mayDecide(START)).toBe(false)
  const ready = play(['warmed'])
  expect(mayDecide(ready)).toBe(true)
  expect(mayDecide(hear(ready, offline))).toBe(false)
  // The request may have changed while the page was offline.
  expect(hear(hear(ready, offline), SHOWN).phase).toBe('cold')
})

test('no phase allows a decision while offline', () => {
  for (const phase of PHASES) expect(mayDecide({ ...START, phase, isOffline: true })).toBe(false)
})

test('a later revision can be decided only after it was seen', () => {
  const later = { ...SHOWN, revision: 2, about: '2 pending' }
  const changed = hear(play(['warmed']), later)
  expect(changed.phase).toBe('changed')
  expect(mayDecide(follow(changed, 'warmed'))).toBe(false)
  const seen = hear(follow(changed, 'seen', { read: 2 }), later)
  expect(seen.phase).toBe('cold')
  expect(mayDecide(follow(seen, 'warmed'))).toBe(true)
})

test('server updates during a call apply only after its response', () => {
  const sending = play(['warmed', 'decide'])
  const held = { ...SHOWN, standing: 'held' as const, about: '1 pending 12:00' }
  expect(hear(sending, held).phase).toBe('sending')
  expect(hear(follow(sending, 'unanswered'), held).phase).toBe('held')
  expect(hear(follow(sending, 'refused'), held).phase).toBe('held')
})

test('a second decision is refused until the page has seen the first', () => {
  const taken = play(['warmed', 'decide', 'taken'])
  expect(mayDecide(hear(taken, SHOWN))).toBe(false)
  // A fresh response shows the request as open, because the decision was undone elsewhere.
  expect(hear(follow(taken, 'refreshed'), SHOWN).phase).toBe('cold')
})

test('a failed undo can be retried until it is too late', () => {
  const unsent = play(['warmed', 'decide', 'taken', 'undo', 'unreached'])
  expect(play(['undo', 'undone'], unsent).phase).toBe('cold')
  expect(play(['missed'], unsent).phase).toBe('late')
  const over = { ...SHOWN, standing: 'over' as const, about: '1 approved' }
  expect(hear(unsent, over).phase).toBe('late')
})

test('applying the same update twice changes nothing', () => {
  const shown = [
    SHOWN,
    { ...SHOWN, isOffline: true },
    { ...SHOWN, revision: 2, about: '2 pending' },
    { ...SHOWN, standing: 'held' as const, about: '1 pending 12:00' },
    { ...SHOWN, standing: 'over' as const, about: '1 approved' },
  ]
  for (const phase of PHASES) {
    for (const one of shown) {
      const once = hear({ ...START, phase }, one)
      expect({ phase, one, twice: hear(once, one) }).toEqual({ phase, one, twice: once })
      expect(hear(once, one)).toBe(once)
    }
  }
})
