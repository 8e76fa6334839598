// Pushes in the log: an import restores them, and rejects events that are impossible.

import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { event, facts, type Poison, poisoned } from '../../worlds/poisons.ts'
import { ailments, comment, desk, pushed } from '../../worlds/pushes.ts'
import type { World } from '../../worlds/world.ts'

/** Makes pushes that go through everything that can happen to a push. The last one is deleted. */
async function makePushes(world: World): Promise<void> {
  const { workspace, write } = await desk(world)
  await write('a.md', 'A')
  await world.inbox.personAdd({ name: 'eve' })
  const one = await pushed(world, { agent: 'ann', workspace, docs: ['a.md'], comments: 'One' })
  const two = await comment(world, 'Two')
  await world.inbox.notify({ agent: 'bob', message: 'Tick' })
  await world.inbox.pushReply({ entry: one, comments: 'And?' })
  const [asked] = (await world.inbox.mailRead({ agent: 'ann' })).messages
  await world.inbox.mailSend({ from: 'ann', in_reply_to: asked?.id as string, body: 'Yes' })
  await world.inbox.pushRead({ entries: [one, two] })
  await world.inbox.pushUnread({ entries: [one] })
  await world.inbox.pushTrash({ entries: [two] })
  await world.inbox.pushRestore({ entries: [two] })
  await world.inbox.pushTrash({ agent: 'user:eve', entries: [two] })
  await world.inbox.pushDelete({ entries: [await comment(world, 'Deleted')] })
}

behaves('push/log', async (world) => {
  await makePushes(world)
  const log = await world.exportLog()
  const other = await world.another('empty')
  expect(await other.importLog(log)).toMatchObject({ rejected: [] })
  expect(await other.exportLog()).toBe(log)
  expect(await ailments(other)).toEqual([])
  for (const input of [{}, { agent: 'user:eve' }, { agent: 'user:eve', trashed: true }]) {
    const { entries, ...rest } = await world.inbox.pushHistory(input)
    const brought = entries.map((entry) => ({ ...entry, imported_by: 'user' }))
    expect(await other.inbox.pushHistory(input)).toEqual({ ...rest, entries: brought })
  }
})

/** Each line is wrong in one way, and is placed just before the first good line of its type. */
const POISONS: [string, Poison][] = [
  ['push_send', facts({ recipients: [] })],
  ['push_send', facts({ recipients: ['user:eve'] })],
  ['push_send', facts({ recipients: ['user', 'user'] })],
  ['push_send', facts({ form: 'billboard' })],
  ['push_send', facts({ workspace_id: 7 })],
  ['push_send', facts({ workspace_label: 'x'.repeat(201) })],
  ['push_send', facts({ subject: 'Mine' })],
  ['push_send', event('status', 'trashed')],
  ['push_send', (entry) => delete entry.message],
  ['push_reply', facts({ recipients: 'ann' })],
  ['push_reply', event('event_type', 'mail_append')],
  ['push_reply', event('event_type', 'thread_reply')],
  ['push_reply', event('event_type', 'push_send')],
  ['push_trash', facts({ why: 'old' })],
  ['push_trash', event('event_type', 'push_restore')],
  ['push_restore', event('event_type', 'push_trash')],
  ['push_delete', facts({ recipients: ['user'] })],
  ['push_delete', facts({ recipients: [] })],
  ['push_delete', event('status', 'open')],
  ['delivery_unread', facts({ messages: ['msg_elsewhere'] })],
  ['delivery_unread', facts({ recipient: 'user:eve' })],
  ['delivery_unread', event('agent', 'user:eve')],
]

behaves('push/log-poisoned', async (world) => {
  await makePushes(world)
  const text = await world.exportLog()
  const { mixed, bad } = poisoned(text, POISONS)
  const copy = await world.another('empty')
  const imported = await copy.importLog(mixed)
  expect(imported.aside).toEqual(bad)
  expect(await copy.exportLog()).toBe(text)
  expect(await ailments(copy)).toEqual([])
})

const TAMPERINGS = [
  `update pushes set workspace_label = 'Another'`,
  `update pushes set trashed_at = null`,
  `update pushes set deleted_at = null`,
  `delete from pushes where form = 'notification'`,
  `update deliveries set unread_at = null`,
  `update threads set subject = 'Other' where kind = 'push'`,
  `update threads set status = 'open' where status = 'deleted'`,
]

behaves('push/tampered', async (world) => {
  await makePushes(world)
  const text = await world.exportLog()
  for (const tampering of TAMPERINGS) {
    const copy = await world.another('empty')
    await copy.importLog(text)
    await copy.sql(tampering)
    const log = (await copy.inbox.doctor({})).findings.find(({ check }) => check === 'log')
    expect({ tampering, ok: log?.ok }).toEqual({ tampering, ok: false })
    await copy.giveBack()
  }
})
