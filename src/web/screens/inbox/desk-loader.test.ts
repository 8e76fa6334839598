import { afterEach, expect, test } from 'bun:test'
import type { DeskAnswer, DeskAsk, ListedRow } from './desk-ask.ts'
import { type Desk, makeDesk } from './desk-loader.ts'
import { viewOf } from './desk-view.ts'

const PER_DAY = 50
const begun: Desk[] = []
afterEach(() => {
  for (const desk of begun.splice(0)) desk.end()
})

/** A server's list: rows by their places, a day for each fifty. */
function makeServer(count: number, { isCounted = true } = {}) {
  let rows = Array.from({ length: count }, (_, n) => rowAt(count - n))
  const asked: string[] = []
  const counts: string[] = []
  let isAway = false
  const pageOf = (before: number | null, limit: number): DeskAnswer => {
    if (isAway) throw new Error('away')
    const below = rows.filter(({ event_id }) => before === null || event_id < before)
    const found = below.slice(0, limit)
    const next_before = below.length > limit ? (found.at(-1)?.event_id ?? null) : null
    return {
      ...{ rows: found, has_more: next_before !== null, next_before, next_after: null, cut: false },
      ...{ unread: 0, needs_you: [], next_event_id: 0 },
    }
  }
  const ask: DeskAsk = {
    head: async () => pageOf(null, 100),
    days: async ({ before, after, limit = 1000 }) => {
      if (!isCounted) return null
      counts.push(`${before ?? ''} ${after ?? ''}`)
      const part = rows.filter(
        ({ event_id }) =>
          event_id < (before ?? Number.POSITIVE_INFINITY) && event_id > (after ?? 0),
      )
      const own = part.slice(0, limit)
      return {
        days: [...Map.groupBy(own, dayOf)].map(([day, some]) => ({
          ...{ day, count: some.length, unread: 0, before: (some[0]?.event_id ?? 0) + 1 },
        })),
        next_before: part.length > limit ? (own.at(-1)?.event_id ?? null) : null,
        ...{ total: own.length, unread: 0, next_event_id: 0 },
      }
    },
    page: async ({ before, limit }) => {
      asked.push(`${before} ${limit}`)
      return pageOf(before, limit)
    },
    around: async (id) => rows.find(({ thread_id }) => thread_id === id) ?? null,
    isAway: () => true,
  }
  return {
    ask,
    asked,
    counts,
    add: (event_id: number) => {
      rows = [rowAt(event_id), ...rows]
    },
    drop: (id: string) => {
      rows = rows.filter(({ thread_id }) => thread_id !== id)
    },
    fail: (isNow: boolean) => {
      isAway = isNow
    },
  }
}

function rowAt(event_id: number): ListedRow {
  return {
    ...{ thread_id: `t${event_id}`, event_id, what: 'push', title: '', from: '', latest_from: '' },
    ...{ preview: '', at: new Date(0).toISOString() as ListedRow['at'], unread: 1, documents: 0 },
    ...{ workspace_id: '', workspace_label: '', needs_you: false, expires_at: null, risk: null },
    ...{ request_type: null, snoozed_until: null, woken: false },
  }
}

function dayOf({ event_id }: ListedRow): string {
  return String(Math.floor((event_id - 1) / PER_DAY))
}

function begin(ask: DeskAsk): Desk {
  const desk = makeDesk(ask, dayOf)
  begun.push(desk)
  desk.changed()
  return desk
}

function when(desk: Desk, isSo: (ids: ReturnType<typeof shownIn>) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isSo(shownIn(desk))) return
      stop()
      resolve()
    }
    const stop = desk.watch(look)
    look()
  })
}

function shownIn(desk: Desk) {
  const state = desk.state()
  const view = viewOf(state.pieces, state.hidden, (day) => day)
  return { ...state, view, first: view.idAt(0) }
}

const isReady = ({ isReady: is }: { isReady: boolean }) => is

test('the whole list is counted, and loaded where it is looked at', async () => {
  const { ask, asked } = makeServer(10_000)
  const desk = begin(ask)
  await when(desk, ({ view }) => view.total === 10_000)
  desk.want({ first: 5000, end: 5030 })
  await when(desk, ({ view }) => view.idAt(5029) !== undefined)
  expect(shownIn(desk).view.idAt(5000)).toBe('t5000')
  expect(asked.length).toBeLessThanOrEqual(2)
})

test('what comes while the list is scrolled is counted, and shown when it is asked for', async () => {
  const server = makeServer(300)
  const desk = begin(server.ask)
  await when(desk, isReady)
  desk.atTop(false)
  for (const event of [301, 302, 303]) server.add(event)
  desk.changed()
  await when(desk, ({ news }) => news === 3)
  expect(shownIn(desk).first).toBe('t300')
  desk.showNew()
  expect(shownIn(desk)).toMatchObject({ first: 't303', news: 0 })
})

test('a long list is counted in parts, and what comes is counted in the first of them alone', async () => {
  const server = makeServer(12_000)
  const desk = begin(server.ask)
  await when(desk, ({ view }) => view.total === 12_000)
  expect(server.counts).toEqual([' ', '11001 ', '6001 ', '1001 '])
  server.add(12_001)
  desk.changed()
  await when(desk, ({ first }) => first === 't12001')
  expect(shownIn(desk).view.total).toBe(12_001)
  expect(server.counts.slice(4)).toEqual([' 11000'])
})

test('at the top of the list what comes is shown at once', async () => {
  const server = makeServer(3)
  const desk = begin(server.ask)
  await when(desk, isReady)
  server.add(4)
  desk.changed()
  await when(desk, ({ first }) => first === 't4')
  expect(shownIn(desk).news).toBe(0)
})

test('the open row keeps its place when the list has it no longer, until another is opened', async () => {
  const server = makeServer(10)
  const desk = begin(server.ask)
  await when(desk, isReady)
  desk.open('t7')
  server.drop('t7')
  server.add(11)
  desk.changed()
  await when(desk, ({ first }) => first === 't11')
  expect(shownIn(desk).view.positionOf('t7')).toBe(4)
  desk.open('t6')
  server.add(12)
  desk.changed()
  await when(desk, ({ first }) => first === 't12')
  expect(shownIn(desk).view.positionOf('t7')).toBe(-1)
})

test('a row that was put away is gone at once, and stays away when the server has it away too', async () => {
  const server = makeServer(10)
  const desk = begin(server.ask)
  await when(desk, isReady)
  desk.remove(['t9'])
  expect(shownIn(desk).view.positionOf('t9')).toBe(-1)
  desk.bringBack(['t9'])
  expect(shownIn(desk).view.positionOf('t9')).toBe(1)
  // The server has it away still; it stays where the person brought it back to.
  server.drop('t9')
  server.add(11)
  desk.changed()
  await when(desk, ({ first }) => first === 't11')
  expect(shownIn(desk).view.positionOf('t9')).toBe(2)
  desk.remove(['t9'])
  desk.settle(['t9'])
  await when(desk, ({ hidden }) => hidden.size === 0)
  expect(shownIn(desk).view).toMatchObject({ total: 10 })
})

test('a row that was marked stays so when an answer comes that was asked for before', async () => {
  const server = makeServer(10)
  const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  let asked = 0
  const head: DeskAsk['head'] = async (signal) => {
    const answer = await server.ask.head(signal)
    asked += 1
    if (asked === 2) {
      held[0].resolve()
      await held[1].promise
    }
    return answer
  }
  const desk = begin({ ...server.ask, head })
  await when(desk, isReady)
  server.add(11)
  desk.changed()
  await held[0].promise
  const settle = desk.mark([{ ...rowAt(9), unread: 0 }])
  held[1].resolve()
  await when(desk, ({ first }) => first === 't11')
  expect(desk.state().rows.get('t9')?.unread).toBe(0)
  // From then on the server knows best: somebody has marked it as unread elsewhere.
  settle()
  desk.changed()
  await when(desk, ({ rows }) => rows.get('t9')?.unread === 1)
})

test('a thread far down is found, with the rows before it', async () => {
  const { ask, asked } = makeServer(10_000)
  const desk = begin(ask)
  await when(desk, isReady)
  await desk.locate('t1234')
  expect(shownIn(desk).view.positionOf('t1234')).toBe(10_000 - 1234)
  expect(asked.length).toBe(1)
})

test('rows that are wanted while others are looked at again are brought too', async () => {
  const server = makeServer(10_000)
  const [first, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const page: DeskAsk['page'] = async (wanted, signal) => {
    first.resolve()
    await held.promise
    return server.ask.page(wanted, signal)
  }
  const desk = begin({ ...server.ask, page })
  await when(desk, isReady)
  desk.want({ first: 0, end: 10 })
  desk.atTop(false)
  server.add(10_001)
  desk.changed()
  // The rows in sight are asked for again, and the answer stays away for a while.
  await first.promise
  const coming = desk.bringTo(5000)
  held.resolve()
  await coming
  expect(shownIn(desk).view.idAt(5000)).toBe('t5000')
})

test('a list that nobody counts is read further down as it is scrolled', async () => {
  const server = makeServer(350, { isCounted: false })
  const desk = begin(server.ask)
  await when(desk, isReady)
  expect(shownIn(desk).view.total).toBe(100)
  desk.want({ first: 80, end: 110 })
  await when(desk, ({ view }) => view.total === 200)
  server.add(351)
  desk.changed()
  await when(desk, ({ first }) => first === 't351')
  expect(shownIn(desk).view.total).toBe(201)
  desk.want({ first: 200, end: 400 })
  await when(desk, ({ hasMore }) => !hasMore)
  expect(shownIn(desk).view.total).toBe(351)
})

test('a list that could not be loaded says so, and keeps the rows that it has', async () => {
  const server = makeServer(5)
  const desk = begin(server.ask)
  await when(desk, isReady)
  server.fail(true)
  desk.changed()
  await when(desk, ({ error }) => error !== null)
  expect(shownIn(desk).view.total).toBe(5)
})

test('a count that fails is asked for again while the server is away, and is an error otherwise', async () => {
  for (const isAway of [true, false]) {
    const server = makeServer(3000)
    let failures = 1
    const days: DeskAsk['days'] = async (part, signal) => {
      if (part.before !== undefined && failures-- > 0) throw new Error('no answer')
      return server.ask.days(part, signal)
    }
    const desk = begin({ ...server.ask, days, isAway: () => isAway })
    await when(desk, ({ error }) => error?.message === 'no answer')
    expect(shownIn(desk).view.total).toBe(1000)
    if (isAway) await when(desk, ({ view, error }) => view.total === 3000 && error === null)
  }
})
