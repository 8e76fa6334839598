// Marking threads of every kind on a desk as read and unread.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { rowsOn } from '../../worlds/desks.ts'
import { ailments, comment } from '../../worlds/pushes.ts'
import { asked } from '../../worlds/requests.ts'

const ME = { agent: 'user' }

behaves('desk-mark/every-kind', async (world) => {
  await world.inbox.agentRegister({ agent: 'ann', may_write_to_user: true })
  const push = await comment(world, 'One')
  const request = await asked(world)
  const { message } = await world.inbox.mailSend({ from: 'ann', to: 'user', body: 'Hello' })
  const mail = message?.thread_id as string
  const { thread } = await world.inbox.send({ from: 'user', to: 'bob', subject: 'Build it' })
  const work = thread.thread_id
  await world.inbox.claim({ agent: 'bob', thread: work })
  await world.inbox.update({ agent: 'bob', thread: work, status: 'blocked', summary: 'Port?' })
  const threads = [push, request, mail, work]
  const unreadOf = async () => (await rowsOn(world)).map(({ unread }) => unread)
  expect(await unreadOf()).toEqual([1, 1, 1, 1])
  expect(await world.inbox.deskMark({ ...ME, threads, as: 'unread' })).toMatchObject({
    changed: [],
  })
  expect(await world.inbox.deskMark({ ...ME, threads, as: 'read' })).toMatchObject({
    changed: threads,
  })
  expect(await unreadOf()).toEqual([0, 0, 0, 0])
  expect(await world.inbox.desk({})).toMatchObject({ unread: 0 })
  const some = [push, mail]
  expect(await world.inbox.deskMark({ ...ME, threads: some, as: 'unread' })).toMatchObject({
    changed: some,
  })
  const both = { threads: [request, work, push], as: 'unread' as const }
  expect(await world.inbox.deskMark({ ...ME, ...both })).toMatchObject({ changed: [request, work] })
  expect(await unreadOf()).toEqual([1, 1, 1, 1])
  // The sender still sees that it was read.
  const { messages } = await world.inbox.mailReceipts({ agent: 'ann', thread: mail })
  expect(messages).toMatchObject([{ receipts: [{ state: 'read' }] }])
  expect(await ailments(world)).toEqual([])
})
