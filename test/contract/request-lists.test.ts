// Compares paged lists of requests, and searches done piece by piece, with a handmade list of all requests.

import { expect } from 'bun:test'
import type { RequestFilter } from '../../src/core/requests/request-reads.ts'
import { DAWN } from '../worlds/store.ts'
import { contract, type Place } from './engines.ts'

type Made = {
  id: string
  title: string
  type: string
  agent: string
  isResolved: boolean
  /** The sort key: its expiry, then its age. */
  soonest: string
}

const TYPES = ['chore', 'plan', 'plea']

/** Forty requests of several types and agents, some at the same moment, every third decided, newest first. */
async function makeRequests(place: Place): Promise<Made[]> {
  const inbox = await place.connect()
  await place.clock.set(DAWN)
  const made: (Made & { at: string })[] = []
  for (let n = 0; n < 40; n++) {
    const agent = n % 4 === 0 ? 'bob' : 'ann'
    const type = TYPES[n % 3] as string
    const title = n % 5 === 0 ? `Paint it ${n}` : `Build it ${n}`
    // Every fourth request expires, and later ones expire sooner.
    const left = n % 4 === 3 ? 9000 - Math.floor(n / 8) * 60 : undefined
    const wish = { agent, type, title, ...(left === undefined ? {} : { expires_seconds: left }) }
    const { request_id: id, expires_at } = await inbox.requestCreate(wish)
    if (n % 3 === 1) await inbox.reject({ request: id, revision: 1 })
    const at = place.clock.now()
    const soonest = `${expires_at ?? '~'} ${at} ${id}`
    made.push({ id, title, type, agent, isResolved: n % 3 === 1, at, soonest })
    if (n % 6 === 5) await place.clock.advance(1)
  }
  const key = ({ at, id }: { at: string; id: string }) => `${at} ${id}`
  return made.sort((a, b) => (key(a) < key(b) ? 1 : -1))
}

const FILTERS: Omit<RequestFilter, 'limit'>[] = [
  {},
  { isResolved: true },
  { isResolved: false },
  { isResolved: false, type: 'chore' },
  { type: 'plan' },
  { requester: 'bob' },
  { requester: 'ann', isResolved: false, type: 'plea' },
]

function matches({ isResolved, type, requester }: (typeof FILTERS)[number]) {
  return (one: Made) =>
    (isResolved ?? one.isResolved) === one.isResolved &&
    (type ?? one.type) === one.type &&
    (requester ?? one.agent) === one.agent
}

contract('pages of any size list each request once and in order', async (place) => {
  const all = await makeRequests(place)
  const { store } = await place.open()
  for (const filter of FILTERS) {
    const wanted = all.filter(matches(filter)).map(({ title }) => title)
    for (const limit of [1, 7, 100]) {
      const got: string[] = []
      for (let before: string | undefined; ; ) {
        const page = await store.requests({ ...filter, before, limit })
        got.push(...page.map(({ title }) => title))
        if (page.length < limit) break
        before = page.at(-1)?.thread_id
      }
      expect({ filter, limit, got }).toEqual({ filter, limit, got: wanted })
    }
  }
})

const SOONEST: typeof FILTERS = [
  { isResolved: false, soonestFirst: true },
  { isResolved: false, soonestFirst: true, type: 'chore' },
]

function inOrder(all: readonly Made[], { soonestFirst }: (typeof FILTERS)[number]) {
  return soonestFirst ? all.toSorted((a, b) => (a.soonest < b.soonest ? -1 : 1)) : all
}

contract('a search in pieces of any size finds each request once and in order', async (place) => {
  const all = await makeRequests(place)
  const { store } = await place.open()
  for (const filter of [...FILTERS, ...SOONEST]) {
    const ordered = inOrder(all, filter).filter(matches(filter))
    const wanted = ordered.filter(({ title }) => title.startsWith('Paint'))
    for (const looks of [1, 3, 50]) {
      for (const limit of [1, 100]) {
        const got: string[] = []
        let before: string | undefined
        for (let pieces = 0; ; pieces++) {
          const piece = { ...filter, before, title: 'PAINT', looks, limit }
          const { items, bottom } = await store.searchRequests(piece)
          got.push(...items.map(({ title }) => title))
          if (bottom === null) break
          before = bottom
          expect(pieces).toBeLessThan(200)
        }
        expect({ filter, looks, got }).toEqual({
          filter,
          looks,
          got: wanted.map(({ title }) => title),
        })
      }
    }
  }
})

contract('counts requests by tab and type, within the filter', async (place) => {
  const all = await makeRequests(place)
  const { store } = await place.open()
  for (const requester of [undefined, 'bob', 'nobody']) {
    for (const title of [undefined, 'PAINT', 'nothing']) {
      const { counts, cut } = await store.requestCounts({ requester, title })
      const isFound = (one: Made) => one.title.toUpperCase().includes(title ?? '')
      const own = all.filter(matches({ requester })).filter(isFound)
      const wanted = TYPES.flatMap((request_type) =>
        [true, false].map((isResolved) => {
          const n = own.filter(matches({ type: request_type, isResolved })).length
          return { request_type, isResolved, n }
        }),
      ).filter(({ n }) => n > 0)
      const key = (one: object) => JSON.stringify(Object.entries(one).sort())
      expect(counts.map(key).sort()).toEqual(wanted.map(key).sort())
      expect(cut).toBe(false)
    }
  }
})
