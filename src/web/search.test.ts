// Screens ignore unknown values in their address, and never send the server a value that it would refuse.
import { describe, expect, test } from 'bun:test'
import { parseAddress } from '../core/agents/address.ts'
import { isName } from '../core/agents/agent.ts'
import { readChannelSearch } from './items/channel/search.ts'
import { readSearch } from './items/request/search.ts'
import { readHistorySearch } from './screens/history/search.ts'
import { readInboxSearch } from './screens/inbox/search.ts'
import { readThreadSearch } from './screens/threads/search.ts'

const NONSENSE: readonly unknown[] = [
  '',
  ' ',
  'bogus',
  '!!!',
  'a b',
  '@',
  'system',
  'Broadcast',
  'user@x',
  'toString',
  '__proto__',
  'x'.repeat(5000),
  `a${'👍'.repeat(2000)}`,
  'a\0b',
  '\0',
  '\ud800',
  '2026-02-31',
  '9999-12-31',
  '1-',
  '1-2-3',
  0,
  -1,
  1.5,
  7,
  1e21,
  Number.POSITIVE_INFINITY,
  Number.NaN,
  true,
  false,
  null,
  undefined,
  {},
  [],
  ['unread'],
  () => {},
]

type Search = Record<string, unknown>

type Screen = {
  read: (given: Search) => Search
  /** A valid value of each parameter. */
  good: Search
  /** The parameters with a fixed set of values. */
  closed: readonly string[]
  /** The longest string the operations accept for a parameter. Names and addresses are checked by format. */
  longest: Record<string, number | 'name' | 'address'>
}

const SCREENS: Record<string, Screen> = {
  inbox: {
    read: readInboxSearch,
    good: { view: 'snoozed', group: 'workspace', q: 'zed', ws: 'ws_1', agent: 'ann@review' },
    closed: ['view', 'group'],
    longest: { q: 200, ws: 128, agent: 'name' },
  },
  request: {
    read: readSearch,
    good: {
      tab: 'resolved',
      type: 'config_change',
      risk: 'high',
      q: 'zed',
      sort: 'new',
      rev: '2-3',
      raw: true,
      thread: 'thr_1',
    },
    closed: ['tab', 'risk', 'sort', 'rev'],
    longest: { type: 64, q: 200, thread: 128 },
  },
  threads: {
    read: readThreadSearch,
    good: { state: 'waiting', agent: 'user:ann', q: 'zed', at: 'msg_1' },
    closed: ['state'],
    longest: { agent: 'name', q: 200, at: 128 },
  },
  history: {
    read: readHistorySearch,
    good: {
      type: 'question,status',
      agent: 'role:reviewer',
      ws: 'ws_1',
      dir: 'in',
      q: 'zed',
      from: '2026-01-02',
      to: '2026-02-28',
    },
    closed: ['type', 'dir'],
    longest: { agent: 'address', ws: 128, q: 200, from: 10, to: 10 },
  },
  channel: {
    read: readChannelSearch,
    good: { entry: 7, panel: 'none', revision: 2, since: 1 },
    closed: ['panel'],
    longest: {},
  },
}

test('every module that reads an address is tested here', () => {
  const web = new URL('.', import.meta.url).pathname
  const found = [...new Bun.Glob('{items,screens}/*/search.ts').scanSync(web)].map(
    (path) => path.split('/')[1],
  )
  expect(found.sort() as string[]).toEqual(Object.keys(SCREENS).sort())
})

describe.each(Object.entries(SCREENS))('%s', (_, { read, good, closed, longest }) => {
  /** Whether the server accepts the value. It refuses values that are too long, empty or impossible to store. */
  const isTaken = (part: string, value: unknown): boolean => {
    const most = longest[part]
    if (typeof value !== 'string' || most === undefined) return true
    if (most === 'name') return isName(value)
    if (most === 'address') return parseAddress(value) !== undefined
    const isStorable = value.isWellFormed() && !value.includes('\0')
    return isStorable && value.trim() !== '' && value.length <= most
  }

  test('keeps known parameters and drops unknown ones', () => {
    expect(read(good)).toEqual(good)
    expect(read({})).toEqual({})
    expect(read({ bogus: 'bogus' })).toEqual({})
  })

  test.each(Object.keys(good))('drops or shortens invalid values: %s', (part) => {
    for (const value of NONSENSE) {
      const taken = read({ [part]: value })
      const parts = Object.keys(taken).filter((one) => taken[one] !== undefined)
      // The value doesn't end up in another parameter.
      expect(parts).toEqual(taken[part] === undefined ? [] : [part])
      if (closed.includes(part)) expect({ value, parts }).toEqual({ value, parts: [] })
      expect([value, isTaken(part, taken[part])]).toEqual([value, true])
    }
  })
})

test('entry and revision numbers are integers from 1', () => {
  for (const part of ['entry', 'revision', 'since'] as const) {
    const taken = NONSENSE.map((value) => readChannelSearch({ [part]: value })[part])
    expect(taken.filter((value) => value !== undefined)).toEqual([7])
  }
})
