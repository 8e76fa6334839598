// What import must not let in: each line is wrong in one way, and the good ones around it stay good.

import { expect } from 'bun:test'
import { behaves } from '../worlds/behaves.ts'
import { refused } from '../worlds/refused.ts'
import { everything, held, task } from '../worlds/scenes.ts'
import type { World } from '../worlds/world.ts'

type Entry = { event: Record<string, unknown>; message?: Record<string, unknown> }
type Poison = (entry: Entry, all: Entry[]) => void
type Part = 'event' | 'message'

const set =
  (part: Part, key: string, value: unknown): Poison =>
  (entry) => {
    ;(entry[part] as Record<string, unknown>)[key] = value
  }
const facts = (change: object): Poison => {
  return ({ event }) => {
    const payload = JSON.parse(event.payload_json as string)
    event.payload_json = JSON.stringify({ ...payload, ...change })
  }
}
const artifact =
  (key: string, value: unknown): Poison =>
  ({ message }) => {
    const [first] = (message?.artifacts ?? []) as Record<string, unknown>[]
    if (first === undefined) throw new Error('the line has no artifact to poison')
    first[key] = value
  }
const artifactsOf = (entry: Entry | undefined) => (entry?.message?.artifacts ?? []) as object[]
const take =
  (part: Part, key: string, from: number): Poison =>
  (entry, all) => {
    ;(entry[part] as Record<string, unknown>)[key] = all[from]?.[part]?.[key]
  }

/** The first send makes two names known, in lines of their own. */
const NAMES = 2

/** The log after that: 0 send, 1 claim, 2 renew, 3 read, 4 blocked, 5 done with an artifact, 6 another send. */
const POISONS: [number, Poison][] = [
  [
    6,
    (entry, all) => {
      take('event', 'message_id', 0)(entry, all)
      take('message', 'message_id', 0)(entry, all)
    },
  ],
  [6, take('event', 'thread_id', 0)],
  [6, take('message', 'thread_id', 0)],
  [5, set('message', 'seq', 1)],
  [5, set('message', 'seq', 99)],
  [5, artifact('message_id', 'msg_other')],
  [5, artifact('metadata_json', '{')],
  [5, artifact('path', 'a\0b')],
  [5, (entry) => artifactsOf(entry).push(...artifactsOf(entry))],
  [
    6,
    ({ message = {} }, all) => {
      const { message_id } = message
      message.artifacts = artifactsOf(all[5]).map((one) => ({ ...one, message_id }))
    },
  ],
  [0, set('message', 'payload_json', 'no')],
  [0, set('message', 'kind', 'wish')],
  [0, set('message', 'created_at', '2026-01-01')],
  [0, set('message', 'from_agent', 'not a name')],
  [0, set('message', 'to_agent', 'x'.repeat(65))],
  [0, set('message', 'body', 'a\0b')],
  [0, set('message', 'body', '\ud800')],
  [0, set('message', 'summary', 'x'.repeat(1001))],
  [0, set('message', 'more', 1)],
  [0, (entry) => delete entry.message],
  [0, set('event', 'payload_json', '[]')],
  [0, set('event', 'payload_json', '{')],
  [0, set('event', 'event_id', 2 ** 53 - 1)],
  [0, set('event', 'event_id', -1)],
  [0, set('event', 'event_type', 'thread_wish')],
  [0, set('event', 'event_type', 'constructor')],
  [0, set('event', 'status', 'lost')],
  [0, set('event', 'status', 'done')],
  [0, set('event', 'created_at', '2026-01-01T00:00:00Z')],
  [0, set('event', 'created_at', '2026-13-01T00:00:00.000Z')],
  [0, set('event', 'created_at', '9999-12-31T00:00:00.000Z')],
  [0, set('event', 'agent', 'system')],
  [0, set('event', 'thread_id', 'x'.repeat(129))],
  [0, facts({ priority: 'urgent' })],
  [0, facts({ assigned_to: 7 })],
  [0, facts({ type: 'thread_done' })],
  [1, facts({ lease_seconds: '60' })],
  [1, facts({ lease_seconds: 1e9 })],
  [1, facts({ lease_token: 7 })],
  [1, set('event', 'run_id', 'other')],
  [2, facts({ lease_seconds: null })],
  [3, facts({ message_id: 'msg_elsewhere' })],
  [3, facts({ seq: 2 })],
  [3, facts({ seq: '1' })],
  [4, facts({ status: 'done' })],
  [4, set('message', 'kind', 'progress')],
]

async function poisonable(world: World) {
  const { thread } = await held(world)
  await world.inbox.renew({ agent: 'worker', thread, lease_seconds: 60 })
  await world.inbox.show({ thread, agent: 'lead', mark_read: true })
  await world.inbox.update({ agent: 'worker', thread, status: 'blocked', summary: 'Which?' })
  const artifacts = [{ path: 'a', kind: 'file', metadata_json: '{}' }]
  await world.inbox.done({ agent: 'worker', thread, summary: 'Built', artifacts })
  await task(world, { subject: 'Two' })
  const text = await world.exportLog()
  const [header = '', ...lines] = text.trimEnd().split('\n')
  expect(lines).toHaveLength(NAMES + 7)
  return { text, header, lines }
}

behaves('import/poisoned', async (world) => {
  const { text, header, lines } = await poisonable(world)
  const all = () => lines.map((line) => JSON.parse(line) as Entry)
  // Each stands just before the good line it was made from.
  const bad: string[] = []
  const mixed = lines.flatMap((line, at) => {
    const made = POISONS.filter(([of]) => of + NAMES === at).map(([, poison]) => {
      const entries = all()
      const entry = entries[at] as Entry
      poison(entry, all().slice(NAMES))
      return JSON.stringify(entry)
    })
    bad.push(...made)
    return [...made, line]
  })
  expect(bad).toHaveLength(POISONS.length)
  const copy = await world.another('empty')
  const imported = await copy.importLog(`${[header, ...mixed].join('\n')}\n`)
  expect(imported.aside).toEqual(bad)
  expect(imported.events).toBe(lines.length)
  expect(await copy.exportLog()).toBe(text)
  const log = (await copy.inbox.doctor({})).findings.find(({ check }) => check === 'log')
  expect(log).toMatchObject({ ok: true })
  for (const { thread_id } of (await copy.inbox.list({})).threads) {
    await copy.inbox.show({ thread: thread_id })
  }
  await copy.inbox.status({})
  await task(copy)
})

behaves('import/no-log', async (world) => {
  const { header } = await poisonable(world)
  const copy = await world.another('empty')
  const before = await everything(copy)
  for (const text of ['', 'root:x:0:0\nnobody:x:1:1\n', `${header}\nroot:x:0:0\n`]) {
    const no = await refused(copy.importLog(text), 'invalid_input')
    expect(no.message).toContain('nothing in it could be imported')
  }
  expect(await everything(copy)).toEqual(before)
})

behaves('import/bad-header', async (world) => {
  const { text } = await poisonable(world)
  const [header = '', ...lines] = text.split('\n')
  const good = JSON.parse(header)
  const copy = await world.another('empty')
  const before = await everything(copy)
  const wrongs = [
    { floor: -1 },
    { floor: 2 ** 53 - 1 },
    { floor: 'no' },
    { mailroom: 2 },
    { store: 7 },
  ]
  for (const wrong of wrongs) {
    const first = JSON.stringify({ ...good, ...wrong })
    await refused(copy.importLog([first, ...lines].join('\n')), 'invalid_input')
  }
  expect(await everything(copy)).toEqual(before)
  // Of two logs in one file the first is taken.
  const entries = lines.filter((line) => line !== '') as string[]
  const twice = await copy.importLog([header, ...entries, header, ...entries, ''].join('\n'))
  expect(twice.events).toBe(entries.length)
  expect(twice.aside).toEqual([header, ...entries])
})

behaves('import/pruned-empty', async (world) => {
  // Between people: what is known of agents outlives their threads.
  const people = { from: 'user', to: 'user:eve' }
  const thread = await task(world, people)
  await world.inbox.cancel({ agent: 'user', thread })
  await world.clock.advance(1)
  const pruned = await world.inbox.prune({ older_than_days: 0, include_unread: true })
  expect(pruned.threads).toHaveLength(1)
  const text = await world.exportLog()
  const copy = await world.another('empty')
  expect(await copy.importLog(text)).toMatchObject({ events: 0, rejected: [] })
  expect(await copy.exportLog()).toBe(text)
  const sent = await copy.inbox.send({ ...people, subject: 'On' })
  expect(sent.next_event_id).toBe(pruned.next_event_id + 1)
})
