// Random walks on a desk: agents ask and keep writing, a person marks, snoozes, puts away and brings back, and time
// passes. After every step both engines must show the model's desk. At the end the desks must agree with their logs.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { connect } from '../../src/index.ts'
import { DeskModel, type DeskStanding, type DeskStep } from './desk-model.ts'
import { storeToWalk, WALKS, WALKS_LIMIT_MS } from './walks.ts'

const n = fc.nat({ max: 4 })
const seconds = fc.constantFrom(10, 10, 60, null)
const step: fc.Arbitrary<DeskStep> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ op: fc.constant('ask' as const) }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('say' as const), n }) },
  { weight: 8, arbitrary: fc.record({ op: fc.constant('snooze' as const), n, seconds }) },
  ...(['read', 'unread', 'back'] as const).map((op) => ({
    weight: 4,
    arbitrary: fc.record({ op: fc.constant(op), n }),
  })),
)
/** Some waits end just before, at or just after the end of a snooze. */
const waitMs = fc.constantFrom(1, 1, 1, 1000, 9999, 10_000, 60_000)
const walk = fc.array(fc.tuple(step, waitMs), { minLength: 20, maxLength: 45 })

test(
  'both engines show the model’s desk in random walks',
  async () => {
    const property = fc.asyncProperty(walk, async (taken) => {
      const model = new DeskModel()
      const walkers = await Promise.all([startWalker('sqlite'), startWalker('postgres')])
      try {
        for (const [planned, wait] of taken) {
          const one = aimed(model, planned)
          const expected = { changed: model.take(one, wait), standing: model.standing() }
          const [sqlite, postgres] = await Promise.all(
            walkers.map((walker) => walker.take(one, wait)),
          )
          expect({ one, sqlite, postgres }).toEqual({ one, sqlite: expected, postgres: expected })
        }
        for (const walker of walkers) expect(await walker.replayed()).toEqual({ ok: true })
      } finally {
        await Promise.all(walkers.map((walker) => walker.end()))
      }
    })
    await fc.assert(property, WALKS)
  },
  WALKS_LIMIT_MS,
)

// A model in which no thread ever comes back would match a desk that loses them all.
test('random walks on a desk cover every way a thread comes back', () => {
  const seen = new Set<string>()
  for (const taken of fc.sample(walk, { numRuns: 300, seed: 1 })) {
    const model = new DeskModel()
    for (const [planned, wait] of taken) {
      const one = aimed(model, planned)
      seen.add(`${one.op} ${model.take(one, wait)}`)
      const { rows, away } = model.standing()
      if (away.some(({ until }) => until === null)) seen.add('put away')
      if (away.some(({ until }) => until !== null)) seen.add('snoozed')
      for (const { woken, unread } of rows) if (woken) seen.add(`woken ${Math.min(unread, 2)}`)
    }
  }
  const both = ['snooze', 'read', 'unread', 'back'].flatMap((op) => [`${op} true`, `${op} false`])
  expect([...seen].sort()).toEqual(
    [
      ...both,
      'ask true',
      'say true',
      'put away',
      'snoozed',
      'woken 0',
      'woken 1',
      'woken 2',
    ].sort(),
  )
})

/** Aims the step at an existing thread. The first step always asks. */
function aimed({ threads }: DeskModel, step: DeskStep): DeskStep {
  if (threads.length === 0 || !('n' in step)) return { op: 'ask' }
  return { ...step, n: step.n % threads.length }
}

async function startWalker(engine: 'sqlite' | 'postgres') {
  const store = await storeToWalk(engine)
  await store.clock.set('2026-03-01T08:00:00.000Z')
  const start = Date.parse('2026-03-01T08:00:00.000Z')
  const inbox = await connect(store.address)
  const me = { agent: 'user' }
  const ids: string[] = []
  const sinceStart = (at: string | null) => (at === null ? null : Date.parse(at) - start)
  const standing = async (): Promise<DeskStanding> => {
    const [here, away, counts] = await Promise.all([
      inbox.deskList(me),
      inbox.deskList({ ...me, snoozed: true }),
      inbox.desk(me),
    ])
    return {
      rows: here.rows.map(({ thread_id, unread, woken }) => ({
        n: ids.indexOf(thread_id),
        unread,
        woken,
      })),
      away: away.rows.map(({ thread_id, snoozed_until }) => ({
        n: ids.indexOf(thread_id),
        until: sinceStart(snoozed_until),
      })),
      unread: counts.unread,
    }
  }
  const act = async (step: DeskStep, now: string): Promise<boolean> => {
    if (step.op === 'ask') {
      const asked = await inbox.requestCreate({ agent: 'ann', type: 'chore', title: 'May I?' })
      ids.push(asked.request_id)
      return true
    }
    const thread = ids[step.n] as string
    const threads = [thread]
    switch (step.op) {
      case 'say':
        await inbox.comment({ agent: 'ann', request: thread, body: 'More' })
        return true
      case 'read':
      case 'unread':
        return (await inbox.deskMark({ ...me, threads, as: step.op })).changed.length > 0
      case 'back':
        return (await inbox.deskUnsnooze({ ...me, threads })).changed.length > 0
      default: {
        const until = step.seconds === null ? {} : { until: plus(now, step.seconds) }
        return (await inbox.deskSnooze({ ...me, threads, ...until })).changed.length > 0
      }
    }
  }
  return {
    async take(step: DeskStep, wait: number) {
      const now = await store.clock.advance(wait / 1000)
      return { changed: await act(step, now), standing: await standing() }
    },
    async replayed() {
      const { findings } = await inbox.doctor({})
      const log = findings.find(({ check }) => check === 'log')
      return log?.ok ? { ok: true } : { ok: false, detail: log?.detail }
    },
    async end() {
      await inbox.close()
      await store.remove()
    },
  }
}

function plus(at: string, seconds: number): string {
  return new Date(Date.parse(at) + seconds * 1000).toISOString()
}
