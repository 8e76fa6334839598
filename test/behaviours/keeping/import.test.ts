// Lines that import must reject: each is wrong in one way, and the good ones around it are still accepted.

import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { everything, held, mailed, task } from '../../worlds/scenes.ts'
import type { World } from '../../worlds/world.ts'

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
  (part: Part, key: string): Poison =>
  (entry, all) => {
    const first = all.find(({ event }) => event.event_type === 'thread_send')
    ;(entry[part] as Record<string, unknown>)[key] = first?.[part]?.[key]
  }

/** Each is made from a good line, named by its event's type, with a number if there are several of that type. */
const POISONS: [string, Poison][] = [
  [
    'thread_send 2',
    (entry, all) => {
      take('event', 'message_id')(entry, all)
      take('message', 'message_id')(entry, all)
    },
  ],
  ['thread_send 2', take('event', 'thread_id')],
  ['thread_send 2', take('message', 'thread_id')],
  ['thread_done', set('message', 'seq', 1)],
  ['thread_done', set('message', 'seq', 99)],
  ['thread_done', artifact('message_id', 'msg_other')],
  ['thread_done', artifact('metadata_json', '{')],
  ['thread_done', artifact('path', 'a\0b')],
  ['thread_done', (entry) => artifactsOf(entry).push(...artifactsOf(entry))],
  [
    'thread_send 2',
    ({ message = {} }, all) => {
      const { message_id } = message
      message.artifacts = artifactsOf(
        all.find(({ event }) => event.event_type === 'thread_done'),
      ).map((one) => ({ ...one, message_id }))
    },
  ],
  ['thread_send', set('message', 'payload_json', 'no')],
  ['thread_send', set('message', 'kind', 'wish')],
  ['thread_send', set('message', 'created_at', '2026-01-01')],
  ['thread_send', set('message', 'from_agent', 'not a name')],
  ['thread_send', set('message', 'to_agent', 'x'.repeat(65))],
  ['thread_send', set('message', 'body', 'a\0b')],
  ['thread_send', set('message', 'body', '\ud800')],
  ['thread_send', set('message', 'summary', 'x'.repeat(1001))],
  ['thread_send', set('message', 'more', 1)],
  ['thread_send', (entry) => delete entry.message],
  ['thread_send', set('event', 'payload_json', '[]')],
  ['thread_send', set('event', 'payload_json', '{')],
  ['thread_send', set('event', 'event_id', 2 ** 53 - 1)],
  ['thread_send', set('event', 'event_id', -1)],
  ['thread_send', set('event', 'event_type', 'thread_wish')],
  ['thread_send', set('event', 'event_type', 'constructor')],
  ['thread_send', set('event', 'status', 'lost')],
  ['thread_send', set('event', 'status', 'done')],
  ['thread_send', set('event', 'created_at', '2026-01-01T00:00:00Z')],
  ['thread_send', set('event', 'created_at', '2026-13-01T00:00:00.000Z')],
  ['thread_send', set('event', 'created_at', '9999-12-31T00:00:00.000Z')],
  ['thread_send', set('event', 'agent', 'system')],
  ['thread_send', set('event', 'thread_id', 'x'.repeat(129))],
  ['thread_send', facts({ priority: 'urgent' })],
  ['thread_send', facts({ assigned_to: 7 })],
  ['thread_send', facts({ type: 'thread_done' })],
  ['thread_claim', facts({ lease_seconds: '60' })],
  ['thread_claim', facts({ lease_seconds: 1e9 })],
  ['thread_claim', facts({ lease_token: 7 })],
  ['thread_claim', set('event', 'run_id', 'other')],
  ['thread_renew', facts({ lease_seconds: null })],
  ['thread_read', facts({ message_id: 'msg_elsewhere' })],
  ['thread_read', facts({ seq: 2 })],
  ['thread_read', facts({ seq: '1' })],
  ['thread_update', facts({ status: 'done' })],
  ['thread_update', set('message', 'kind', 'progress')],
  ['thread_send', set('message', 'hops', -1)],
  ['thread_send', set('message', 'in_reply_to', 7)],
  ['thread_send', set('message', 'to_agent', 'role:builder')],
  ['thread_send', facts({ assigned_to: 'role:builder' })],
  ['thread_send', facts({ recipients: ['ann'] })],
  ['thread_claim', facts({ instead_of: ['everybody else'] })],
  ['thread_send', set('event', 'thread_id', '')],
  ['agent_register', set('event', 'thread_id', 'thr_1')],
  ['agent_register', set('event', 'status', 'open')],
  ['agent_register', facts({ agent_id: 'broadcast' })],
  ['agent_register', facts({ agent_id: 'user:ann' })],
  ['agent_register', facts({ role: 'not a role' })],
  ['agent_register', facts({ parent_agent_id: '' })],
  ['agent_register', facts({ paired_person: 'ann' })],
  ['agent_register', facts({ may_write_to_user: 1 })],
  ['agent_register', facts({ wake: null })],
  ['agent_register', facts({ wake: { command: 'rm -rf /' } })],
  ['agent_register', facts({ wake: { every_seconds: -1 } })],
  ['agent_register', facts({ wake: { quiet: [22] } })],
  ['agent_register', facts({ wake: { surprise: 1 } })],
  ['agent_register', facts({ more: 1 })],
  ['agent_declare', facts({ status: 'busy' })],
  ['agent_declare', facts({ agent_id: 'stranger' })],
  ['person_add', facts({ person_id: 'eve' })],
  ['mail_send', facts({ recipients: 'bob' })],
  ['mail_send', facts({ recipients: ['bob', 'bob'] })],
  ['mail_send', facts({ recipients: ['broadcast'] })],
  ['mail_send', facts({ recipients: ['role:not a role'] })],
  ['mail_send', facts({ expires_at: 'soon' })],
  ['mail_send', facts({ read_by: 'rumour' })],
  ['mail_send', facts({ subject: 7 })],
  ['mail_send', set('message', 'to_agent', 'everybody else')],
  ['mail_send', set('event', 'status', 'pending')],
  ['mail_send', (entry) => delete entry.message],
  ['mail_append', facts({ subject: 'So' })],
  ['mail_append', set('event', 'event_type', 'thread_reply')],
  ['mail_append', set('event', 'event_type', 'mail_send')],
  ['delivery_take', facts({ taken: [] })],
  ['delivery_take', facts({ from: 'bob' })],
  ['delivery_take', facts({ from: 'role:critic' })],
  ['delivery_take', facts({ recipient: 'ann' })],
  ['delivery_take', set('event', 'agent', 'ann')],
  ['delivery_present', facts({ messages: ['msg_elsewhere'] })],
  ['delivery_present', facts({ messages: [] })],
  ['delivery_present', facts({ recipient: 'ann' })],
  ['delivery_present', facts({ by: 'rumour' })],
  ['delivery_present', set('event', 'agent', 'ann')],
  ['delivery_read', facts({ messages: ['msg_elsewhere'] })],
  ['delivery_bounce', facts({ reason: '' })],
  ['delivery_bounce', facts({ messages: ['msg_elsewhere'] })],
  ['delivery_bounce', set('event', 'agent', 'bob')],
]

async function poisonable(world: World) {
  const { thread } = await held(world)
  await world.inbox.renew({ agent: 'worker', thread, lease_seconds: 60 })
  await world.inbox.show({ thread, agent: 'lead', mark_read: true })
  await world.inbox.update({ agent: 'worker', thread, status: 'blocked', summary: 'Which?' })
  const artifacts = [{ path: 'a', kind: 'file', metadata_json: '{}' }]
  await world.inbox.done({ agent: 'worker', thread, summary: 'Built', artifacts })
  await task(world, { subject: 'Two' })
  await mailed(world)
  const text = await world.exportLog()
  const [header = '', ...lines] = text.trimEnd().split('\n')
  return { text, header, lines }
}

/** Names each line by its event's type, with a number from the second one on. */
function labelsOf(lines: string[]): string[] {
  const types = lines.map((line) => (JSON.parse(line) as Entry).event.event_type as string)
  return types.map((type, i) => {
    const nth = types.slice(0, i).filter((one) => one === type).length + 1
    return nth === 1 ? type : `${type} ${nth}`
  })
}

behaves('import/poisoned', async (world) => {
  const { text, header, lines } = await poisonable(world)
  const all = () => lines.map((line) => JSON.parse(line) as Entry)
  // Each bad line comes just before the good one it was made from.
  const bad: string[] = []
  const labels = labelsOf(lines)
  const mixed = lines.flatMap((line, at) => {
    const made = POISONS.filter(([of]) => of === labels[at]).map(([, poison]) => {
      const entries = all()
      const entry = entries[at] as Entry
      poison(entry, all())
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
  for (const [text, words] of [
    ['', 'the file is empty'],
    ['root:x:0:0\nnobody:x:1:1\n', 'nothing in it could be imported'],
    [`${header}\nroot:x:0:0\n`, 'nothing in it could be imported'],
  ] as const) {
    const no = await refused(copy.importLog(text), 'invalid_input')
    expect(no.message).toContain(words)
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
  // If a file contains two logs, the first is used.
  const entries = lines.filter((line) => line !== '') as string[]
  const twice = await copy.importLog([header, ...entries, header, ...entries, ''].join('\n'))
  expect(twice.events).toBe(entries.length)
  expect(twice.aside).toEqual([header, ...entries])
})

behaves('import/pruned-empty', async (world) => {
  // The thread is between people, because agents remain known after their threads are pruned.
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
