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

/** Every phase, and what each event makes of it; a dot is no change. */
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

test('every event in every phase leads where the table says', () => {
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

test('a decision is possible only once the request has been in sight, and online', () => {
  const offline = { ...SHOWN, isOffline: true }
  expect(mayDecide(START)).toBe(false)
  const ready = play(['warmed'])
  expect(mayDecide(ready)).toBe(true)
  expect(mayDecide(hear(ready, offline))).toBe(false)
  // The request may have changed during the loss.
  expect(hear(hear(ready, offline), SHOWN).phase).toBe('cold')
})

test('without a connection no phase lets a decision through', () => {
  for (const phase of PHASES) expect(mayDecide({ ...START, phase, isOffline: true })).toBe(false)
})

test('a later revision is decided only after it was seen', () => {
  const later = { ...SHOWN, revision: 2, about: '2 pending' }
  const changed = hear(play(['warmed']), later)
  expect(changed.phase).toBe('changed')
  expect(mayDecide(follow(changed, 'warmed'))).toBe(false)
  const seen = hear(follow(changed, 'seen', { read: 2 }), later)
  expect(seen.phase).toBe('cold')
  expect(mayDecide(follow(seen, 'warmed'))).toBe(true)
})

test('what the server shows while a decision is on its way waits for the answer', () => {
  const sending = play(['warmed', 'decide'])
  const held = { ...SHOWN, standing: 'held' as const, about: '1 pending 12:00' }
  expect(hear(sending, held).phase).toBe('sending')
  expect(hear(follow(sending, 'unanswered'), held).phase).toBe('held')
  expect(hear(follow(sending, 'refused'), held).phase).toBe('held')
})

test('a page that has not heard of its own decision yet offers no second one', () => {
  const taken = play(['warmed', 'decide', 'taken'])
  expect(mayDecide(hear(taken, SHOWN))).toBe(false)
  // A fresh answer shows it open: it was undone elsewhere.
  expect(hear(follow(taken, 'refreshed'), SHOWN).phase).toBe('cold')
})

test('an undo that reached no one can be tried again until it is too late', () => {
  const unsent = play(['warmed', 'decide', 'taken', 'undo', 'unreached'])
  expect(play(['undo', 'undone'], unsent).phase).toBe('cold')
  expect(play(['missed'], unsent).phase).toBe('late')
  const over = { ...SHOWN, standing: 'over' as const, about: '1 approved' }
  expect(hear(unsent, over).phase).toBe('late')
})

test('hearing the same twice changes nothing', () => {
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
