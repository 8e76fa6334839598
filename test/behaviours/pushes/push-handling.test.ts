import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { once } from '../../worlds/once.ts'
import { ailments, comment, desk, listed, pushed } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import { everything, task } from '../../worlds/scenes.ts'
import type { World } from '../../worlds/world.ts'

const MONTH = 31 * 86_400

behaves('push-read/marks', async (world) => {
  const one = await comment(world, 'One')
  const two = await comment(world, 'Two')
  await world.inbox.pushReply({ entry: one, comments: 'And?' })
  const [asked] = (await world.inbox.mailRead({ agent: 'ann' })).messages
  await world.inbox.mailSend({ from: 'ann', in_reply_to: asked?.id as string, body: 'Yes' })
  expect(await listed(world)).toEqual(['Two*', 'One*'])
  expect(await world.inbox.pushRead({ entries: [one] })).toMatchObject({
    changed: [one],
    unread: 1,
  })
  expect(await listed(world)).toEqual(['Two*', 'One'])
  expect(await listed(world, { unread: true })).toEqual(['Two*'])
  // Marking a push twice changes nothing, and one call can mark several.
  const again = await world.inbox.pushRead({ entries: [one, two] })
  expect(again).toMatchObject({ changed: [two], unread: 0 })
  const { messages } = await world.inbox.mailPeek({ agent: 'user' })
  expect(messages).toEqual([])
  expect(await ailments(world)).toEqual([])
})

behaves('push-unread/keeps', async (world) => {
  const entry = await comment(world, 'Later')
  // The push hasn't been read yet, so there's nothing to change.
  expect(await world.inbox.pushUnread({ entries: [entry] })).toMatchObject({
    changed: [],
    unread: 1,
  })
  await world.inbox.pushRead({ entries: [entry] })
  const kept = await world.inbox.pushUnread({ entries: [entry] })
  expect(kept).toMatchObject({ changed: [entry], unread: 1 })
  expect(await listed(world)).toEqual(['Later*'])
  expect((await world.inbox.pushUnread({ entries: [entry] })).changed).toEqual([])
  // The agent still sees that it was read.
  const { messages } = await world.inbox.mailReceipts({ agent: 'ann' })
  expect(messages[0]?.receipts).toMatchObject([{ recipient: 'user', state: 'read' }])
  expect(await ailments(world)).toEqual([])
  const read = await world.inbox.pushRead({ entries: [entry] })
  expect(read).toMatchObject({ changed: [entry], unread: 0 })
  await world.inbox.pushUnread({ entries: [entry] })
  // A person who answers a push has read it.
  await world.inbox.pushReply({ entry, comments: 'Fine' })
  expect((await world.inbox.pushHistory({})).unread).toBe(0)
  expect(await ailments(world)).toEqual([])
})

/** The unread counts of every view: the mailbox with its list, and the pushes. */
async function unreadEverywhere(world: World) {
  const peeked = await world.inbox.mailPeek({ agent: 'user' })
  const { messages, unread } = await world.inbox.mailRead({ agent: 'user' })
  const pushes = await world.inbox.pushHistory({ unread: true })
  expect(messages.map(({ id }) => id)).toEqual(peeked.messages.map(({ id }) => id))
  expect(messages.every(({ read }) => !read)).toBe(true)
  return {
    mail: peeked.messages.length,
    said: [peeked.unread, unread],
    pushes: pushes.entries.length,
    badge: pushes.unread,
  }
}

const allSay = (n: number) => ({ mail: n, said: [n, n], pushes: n, badge: n })

behaves('push-unread/mailbox', async (world) => {
  const one = await comment(world, 'One')
  const two = await comment(world, 'Two')
  expect(await unreadEverywhere(world)).toEqual(allSay(2))
  await world.inbox.pushRead({ entries: [one, two] })
  expect(await unreadEverywhere(world)).toEqual(allSay(0))
  await world.inbox.pushUnread({ entries: [one, two] })
  expect(await unreadEverywhere(world)).toEqual(allSay(2))
  const { messages } = await world.inbox.mailPeek({ agent: 'user' })
  expect(messages).toMatchObject([{ state: 'read', read: false }, { state: 'read' }])
  const { messages: all } = await world.inbox.mailPeek({ agent: 'user', all: true })
  expect(all).toMatchObject([{ read: false }, { read: false }])
  const marked = await world.inbox.mailMarkRead({
    agent: 'user',
    messages: [messages[0]?.id as string],
  })
  expect(marked).toMatchObject({ marked: 1, unread: 1 })
  expect(await unreadEverywhere(world)).toEqual(allSay(1))
  const rest = await world.inbox.mailMarkRead({ agent: 'user', all: true })
  expect(rest).toMatchObject({ marked: 1, unread: 0 })
  expect(await unreadEverywhere(world)).toEqual(allSay(0))
  // The sender still sees it as read.
  const { messages: sent } = await world.inbox.mailReceipts({ agent: 'ann' })
  const states = sent.flatMap(({ receipts }) => receipts.map(({ state }) => state))
  expect(states).toEqual(['read', 'read'])
  expect(await ailments(world)).toEqual([])
})

behaves('push-trash/mailbox', async (world) => {
  const [one, two] = [await comment(world, 'One'), await comment(world, 'Two')]
  await world.inbox.pushReply({ entry: two, comments: 'And?' })
  await world.inbox.pushUnread({ entries: [two] })
  expect(await unreadEverywhere(world)).toEqual(allSay(2))
  await world.inbox.pushTrash({ entries: [one, two] })
  expect(await unreadEverywhere(world)).toEqual(allSay(0))
  // Marking everything read affects only the person's own visible mail, and there is none.
  expect(await world.inbox.mailMarkRead({ agent: 'user', all: true })).toMatchObject({ marked: 0 })
  expect((await world.inbox.mailPeek({ agent: 'ann' })).unread).toBe(1)
  await world.inbox.pushRestore({ entries: [one, two] })
  expect(await unreadEverywhere(world)).toEqual(allSay(2))
  expect(await ailments(world)).toEqual([])
})

behaves('push-trash/restore', async (world) => {
  const one = await comment(world, 'One')
  await comment(world, 'Two')
  await world.inbox.pushRead({ entries: [one] })
  expect((await world.inbox.pushTrash({ entries: [one] })).changed).toEqual([one])
  expect((await world.inbox.pushTrash({ entries: [one] })).changed).toEqual([])
  expect(await listed(world)).toEqual(['Two*'])
  const { entries } = await world.inbox.pushHistory({ trashed: true })
  expect(entries).toMatchObject([{ comments: 'One', trashed_at: world.clock.now() }])
  expect((await world.inbox.pushShow({ entry: one })).entry.comments).toBe('One')
  expect((await world.inbox.pushRestore({ entries: [one] })).changed).toEqual([one])
  expect((await world.inbox.pushRestore({ entries: [one] })).changed).toEqual([])
  expect(await listed(world)).toEqual(['Two*', 'One'])
  expect(await listed(world, { trashed: true })).toEqual([])
  // An unread push in the trash is not counted.
  const three = await comment(world, 'Three')
  expect((await world.inbox.pushTrash({ entries: [three] })).unread).toBe(1)
  expect((await world.inbox.pushRestore({ entries: [three] })).unread).toBe(2)
  expect(await ailments(world)).toEqual([])
})

behaves('push-trash/brought-back', async (world) => {
  const entry = await comment(world, 'One')
  await world.inbox.pushTrash({ entries: [entry] })
  await world.inbox.pushReply({ entry, comments: 'Wait' })
  expect(await listed(world)).toEqual(['One'])
  await world.inbox.pushTrash({ entries: [entry] })
  const [asked] = (await world.inbox.mailRead({ agent: 'ann' })).messages
  await world.inbox.mailSend({ from: 'ann', in_reply_to: asked?.id as string, body: 'Now?' })
  expect(await listed(world)).toEqual(['One*'])
  expect(await ailments(world)).toEqual([])
})

/** A push with secrets in all of its parts, and replies from both sides. */
async function converse(world: World): Promise<string> {
  const { workspace, write } = await desk(world)
  await write('xyzzy-file.md', 'Text')
  const entry = await pushed(world, {
    agent: 'ann',
    workspace,
    docs: ['xyzzy-file.md'],
    comments: 'xyzzy-comment',
    idempotency_key: 'k1',
  })
  await world.inbox.pushReply({ entry, comments: 'xyzzy-reply', idempotency_key: 'k2' })
  const [asked] = (await world.inbox.mailRead({ agent: 'ann' })).messages
  await world.inbox.mailSend({
    from: 'ann',
    in_reply_to: asked?.id as string,
    subject: 'xyzzy-subject',
    body: 'xyzzy-answer',
    metadata: '{"xyzzy":1}',
    issue: 'xyzzy-issue',
    idempotency_key: 'k3',
  })
  return entry
}

behaves('push-delete/scrubs', async (world) => {
  const entry = await converse(world)
  const other = await comment(world, 'Stays')
  const rows = async () => JSON.stringify(await everything(world))
  expect(await rows()).toContain('xyzzy')
  expect((await world.inbox.pushDelete({ entries: [entry] })).changed).toEqual([entry])
  expect(await rows()).not.toContain('xyzzy')
  for (const text of [
    await world.exportLog(),
    await world.exportMail(),
    await world.exportLog({ as: 'entries' }),
    JSON.stringify(await world.inbox.mailHistory({ agent: 'user' })),
    JSON.stringify(await world.inbox.mailPeek({ agent: 'user', all: true })),
    JSON.stringify(await world.inbox.mailReceipts({ agent: 'ann' })),
    JSON.stringify(await world.inbox.pushHistory({ trashed: true })),
  ]) {
    expect(text).not.toContain('xyzzy')
  }
  expect(await world.exportMail()).not.toContain(entry)
  expect(await world.exportLog({ as: 'entries' })).not.toContain(entry)
  expect(await listed(world)).toEqual(['Stays*'])
  // A retry of the push returns the same push and doesn't create it again.
  const again = { agent: 'ann', docs: ['xyzzy-file.md'], comments: 'xyzzy-comment' }
  const [{ workspace_id = '' } = {}] = (await world.inbox.workspaceList({})).workspaces
  const call = { ...again, workspace: workspace_id, idempotency_key: 'k1' }
  expect((await world.inbox.push(call)).entry_id).toBe(entry)
  expect(await listed(world)).toEqual(['Stays*'])
  expect((await world.inbox.pushHistory({ before: other })).entries).toEqual([])
})

behaves('push-delete/kept-replies', async (world) => {
  const entry = await comment(world, 'xyzzy: may I deploy?')
  const shown = await comment(world, 'And this?')
  await world.inbox.pushReply({ entry: shown, comments: 'Fine' })
  expect((await world.inbox.mailRead({ agent: 'ann' })).messages).toHaveLength(1)
  await world.inbox.pushReply({ entry, comments: 'Do not deploy\n\nPlease' })
  const done = await world.inbox.pushDelete({ entries: [entry, shown] })
  expect(done).toMatchObject({ unread: 0, kept_replies: 1 })
  expect(JSON.stringify(await everything(world))).not.toContain('xyzzy')
  const { messages } = await world.inbox.mailRead({ agent: 'ann' })
  expect(messages).toMatchObject([
    { type: 'answer', from: 'user', subject: 'Do not deploy', body: 'Do not deploy\n\nPlease' },
  ])
  expect(messages[0]?.thread_id).not.toBe(entry)
  // It's ordinary mail: it can be answered, and its author sees how far it got.
  const [receipt] = (await world.inbox.mailReceipts({ agent: 'user' })).messages
  expect(receipt?.receipts).toMatchObject([{ recipient: 'ann', state: 'presented' }])
  const other = await comment(world, 'Another')
  expect(await world.inbox.pushDelete({ entries: [other] })).not.toHaveProperty('kept_replies')
  expect(await ailments(world)).toEqual([])
})

behaves('push-delete/tombstone', async (world) => {
  const entry = await converse(world)
  const trashed = await comment(world, 'In the trash')
  await world.inbox.pushTrash({ entries: [trashed] })
  await world.inbox.pushDelete({ entries: [trashed, entry] })
  expect(await ailments(world)).toEqual([])
  const { thread, messages } = await world.inbox.show({ thread: entry })
  expect(thread).toMatchObject({ kind: 'push', status: 'deleted', subject: '', created_by: 'ann' })
  expect(messages.map(({ kind, body, summary }) => `${kind}${body}${summary}`)).toEqual([
    'event',
    'event',
    'event',
  ])
  const calls = [
    () => world.inbox.pushShow({ entry }),
    () => world.inbox.pushReply({ entry, comments: 'Hello?' }),
    () => world.inbox.pushRestore({ entries: [entry] }),
    () => world.inbox.pushDelete({ entries: [entry] }),
    () => world.inbox.pushRead({ entries: [entry] }),
    () => world.inbox.pushFile({ entry, path: 'xyzzy-file.md' }),
    () => world.inbox.pushResume({ entry }),
  ]
  for (const call of calls) {
    expect((await refused(call(), 'not_found')).message).toContain('was deleted')
  }
  const [said] = messages
  const answer = { from: 'ann', to: 'user', in_reply_to: said?.message_id as string, body: 'More' }
  await world.inbox.agentRegister({ agent: 'ann', may_write_to_user: true })
  await refused(world.inbox.mailSend(answer), 'not_found')
  // The log still works and can be imported into another store.
  const other = await world.another('empty')
  const log = await world.exportLog()
  expect(await other.importLog(log)).toMatchObject({ rejected: [] })
  expect(await other.exportLog()).toBe(log)
  expect(await ailments(other)).toEqual([])
})

behaves('push-handling/key', async (world) => {
  const { inbox } = world
  const entry = await comment(world, 'Once?')
  const one = { entries: [entry] }
  const twice = <T extends object>(call: (key: { idempotency_key: string }) => Promise<T>) => {
    const key = { idempotency_key: `try-${++tries}` }
    return once(world, () => call(key))
  }
  let tries = 0
  await twice((key) => inbox.pushReply({ entry, comments: 'And?', ...key }))
  expect(await twice((key) => inbox.pushUnread({ ...one, ...key }))).toMatchObject({ unread: 1 })
  await twice((key) => inbox.pushRead({ ...one, ...key }))
  await twice((key) => inbox.pushTrash({ ...one, ...key }))
  await twice((key) => inbox.pushRestore({ ...one, ...key }))
  expect(await listed(world)).toEqual(['Once?'])
  await inbox.pushTrash(one)
  // A deletion rewrites the file some time later, so not every row stays the same.
  const gone = await inbox.pushDelete({ ...one, idempotency_key: 'gone' })
  expect(gone.changed).toEqual([entry])
  expect(await inbox.pushDelete({ ...one, idempotency_key: 'gone' })).toEqual(gone)
  await twice((key) => inbox.notify({ agent: 'ann', message: 'Backup ran', ...key }))
  expect(await listed(world, { form: 'notification' })).toEqual(['Backup ran*'])
})

behaves('push-handling/unknown', async (world) => {
  const thread = await task(world)
  const entry = await comment(world, 'Mine')
  for (const id of ['none', thread]) {
    await refused(world.inbox.pushRead({ entries: [id] }), 'not_found')
    await refused(world.inbox.pushTrash({ entries: [entry, id] }), 'not_found')
    await refused(world.inbox.pushDelete({ entries: [id] }), 'not_found')
    await refused(world.inbox.pushReply({ entry: id, comments: 'Hello' }), 'not_found')
    await refused(world.inbox.pushUnread({ entries: [id] }), 'not_found')
    await refused(world.inbox.pushRestore({ entries: [id] }), 'not_found')
    await refused(world.inbox.pushShow({ entry: id }), 'not_found')
    await refused(world.inbox.pushWatch({ entry: id, path: 'a.md' }), 'not_found')
  }
  for (const call of [
    () => world.inbox.pushRead({ agent: 'ann', entries: [entry] }),
    () => world.inbox.pushTrash({ agent: 'ann', entries: [entry] }),
    () => world.inbox.pushDelete({ agent: 'ann', entries: [entry] }),
    () => world.inbox.pushUnread({ agent: 'ann', entries: [entry] }),
    () => world.inbox.pushRestore({ agent: 'ann', entries: [entry] }),
    () => world.inbox.pushReply({ agent: 'ann', entry, comments: 'Me too' }),
  ]) {
    await refused(call(), 'forbidden')
  }
  // A refused call changes none of the pushes that it names.
  expect(await listed(world)).toEqual(['Mine*'])
  expect(await listed(world, { trashed: true })).toEqual([])
})

behaves('push/retention', async (world) => {
  const trashed = await comment(world, 'Trashed and read')
  const unread = await comment(world, 'Trashed unread')
  const kept = await comment(world, 'Trashed, kept unread')
  const deleted = await comment(world, 'Deleted')
  const open = await comment(world, 'Open and read')
  await world.inbox.pushRead({ entries: [trashed, open, kept] })
  await world.inbox.pushUnread({ entries: [kept] })
  await world.inbox.pushTrash({ entries: [trashed, unread, kept] })
  await world.inbox.pushDelete({ entries: [deleted] })
  expect((await world.inbox.prune({})).removed.kinds.push.threads).toBe(0)
  await world.clock.advance(MONTH)
  const shown = await world.inbox.prune({ dry_run: true })
  expect(shown.threads.map(({ thread_id }) => thread_id).toSorted()).toEqual(
    [trashed, deleted].toSorted(),
  )
  const { removed } = await world.inbox.prune({})
  expect(removed.kinds.push).toEqual({ threads: 2, messages: 2 })
  expect(await listed(world)).toEqual(['Open and read'])
  expect(await listed(world, { trashed: true })).toEqual([
    'Trashed, kept unread*',
    'Trashed unread*',
  ])
  expect(await world.sql('select thread_id from pushes')).toHaveLength(3)
  expect(await ailments(world)).toEqual([])
})
