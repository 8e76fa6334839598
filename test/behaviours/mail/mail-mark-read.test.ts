import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { blocked, everything, logAgrees, task } from '../../worlds/scenes.ts'
import { DAWN } from '../../worlds/store.ts'
import type { World } from '../../worlds/world.ts'

async function mail(world: World, subject: string, in_reply_to?: string): Promise<string> {
  const words = { from: 'lead', to: 'worker', subject, in_reply_to }
  return (await world.inbox.mailSend(words)).message?.id as string
}

async function sendThree(world: World): Promise<[string, string, string]> {
  await world.as('worker').agentRegister({})
  const one = await mail(world, 'One')
  return [one, await mail(world, 'Two', one), await mail(world, 'Three')]
}

async function readBy(world: World): Promise<unknown[]> {
  const rows = await world.sql('select read_by from deliveries order by event_id')
  return rows.map(({ read_by }) => read_by)
}

behaves('mark-read/some', async (world) => {
  const [one, two, three_] = await sendThree(world)
  await world.clock.advance(5)
  const answer = await world.as('worker').mailMarkRead({ messages: [one, two, three_] })
  expect(answer).toMatchObject({ marked: 3, unread: 0 })
  const rows = await world.sql('select state, read_at, read_by from deliveries')
  const read = { state: 'read', read_at: '2026-03-01T08:00:05.000Z', read_by: 'mark' }
  expect(rows).toEqual([read, read, read])
  const events = await world.sql(
    "select agent, payload_json from events where event_type = 'delivery_read' order by event_id",
  )
  const named = events.map(({ payload_json }) => JSON.parse(payload_json as string).messages)
  expect(named.flat().sort()).toEqual([one, two, three_].sort())
  expect(named).toHaveLength(2)
  expect(await logAgrees(world)).toBe(true)
})

behaves('mark-read/all', async (world) => {
  await sendThree(world)
  await world.as('other').agentRegister({})
  await world.inbox.mailSend({ from: 'lead', to: 'other', subject: 'Not yours' })
  const answer = await world.as('worker').mailMarkRead({ all: true })
  expect(answer).toMatchObject({ marked: 3, unread: 0 })
  expect(await readBy(world)).toEqual(['mark', 'mark', 'mark', null])
  expect((await world.as('worker').mailPeek({})).messages).toEqual([])
  expect(await world.as('worker').mailMarkRead({ all: true })).toMatchObject({ marked: 0 })
  expect(await world.as('nobody').mailMarkRead({ all: true })).toMatchObject({ marked: 0 })
})

behaves('mark-read/upto', async (world) => {
  const [one, , three_] = await sendThree(world)
  const reader = world.as('worker')
  const { next_event_id: upto } = await reader.mailRead({})
  const late = [await mail(world, 'Four', one), await mail(world, 'Five')]
  expect(await reader.mailMarkRead({ all: true, upto })).toMatchObject({ marked: 3, unread: 2 })
  expect((await reader.mailPeek({})).messages.map(({ id }) => id)).toEqual(late)
  // There's unread mail left in the first thread, but not in the third message's thread.
  const marks = await world.sql(
    "select last_read_message_id as id from thread_reads where agent_id = 'worker'",
  )
  expect(marks).toEqual([{ id: three_ }])
  await refused(reader.mailMarkRead({ all: true, upto: upto + 1000 }), 'invalid_input')
  await refused(reader.mailMarkRead({ messages: [one], upto }), 'invalid_input')
})

behaves('mark-read/again', async (world) => {
  const [one, two] = await sendThree(world)
  const reader = world.as('worker')
  const { next_event_id } = await reader.mailMarkRead({ messages: [one] })
  const before = await world.sql('select * from deliveries order by event_id')
  await world.clock.advance(5)
  const again = await reader.mailMarkRead({ messages: [one] })
  expect(again).toEqual({ marked: 0, unread: 2, next_event_id })
  expect(await world.sql('select * from deliveries order by event_id')).toEqual(before)
  expect(await reader.mailMarkRead({ messages: [one, two] })).toMatchObject({ marked: 1 })
  const key = { messages: [two], idempotency_key: 'k' }
  expect(await reader.mailMarkRead(key)).toMatchObject({ marked: 0, unread: 1 })
})

behaves('mark-read/refused', async (world) => {
  const [one] = await sendThree(world)
  await world.as('other').agentRegister({})
  const { message } = await world.inbox.mailSend({ from: 'lead', to: 'other', subject: 'Mine' })
  const anothers = message?.id as string
  const before = await everything(world)
  const reader = world.as('worker')
  // Another agent's message is refused just like one that doesn't exist.
  for (const id of [anothers, 'msg_none']) {
    const no = await refused(reader.mailMarkRead({ messages: [one, id] }), 'not_found')
    expect(no.message).toStartWith(`there is no message ${id} for worker`)
  }
  // Not even its author or an agent that may read everything can mark it.
  for (const agent of ['user', 'orchestrator', 'lead']) {
    await refused(world.as(agent).mailMarkRead({ messages: [one] }), 'not_found')
  }
  expect(await everything(world)).toEqual(before)
})

behaves('mark-read/words', async (world) => {
  const [one] = await sendThree(world)
  const reader = world.as('worker')
  await refused(reader.mailMarkRead({}), 'invalid_input')
  await refused(reader.mailMarkRead({ messages: [one], all: true }), 'invalid_input')
  await refused(world.inbox.mailMarkRead({ all: true }), 'invalid_input')
})

behaves('mark-read/read-mark', async (world) => {
  const [one, two] = await sendThree(world)
  const marks = () =>
    world.sql('select agent_id, last_read_message_id, last_read_seq from thread_reads')
  const reader = world.as('worker')
  await reader.mailMarkRead({ messages: [two] })
  // One message of the thread is still unread.
  expect(await marks()).toEqual([])
  await reader.mailMarkRead({ messages: [one] })
  const mark = { agent_id: 'worker', last_read_message_id: two, last_read_seq: 2 }
  expect(await marks()).toEqual([mark])
  expect(await readBy(world)).toEqual(['mark', 'mark', null])
  const thread = await task(world)
  await reader.mailMarkRead({ all: true })
  expect(await marks()).toHaveLength(3)
  expect((await reader.fetch({ unread: true })).threads).toEqual([])
  await world.inbox.send({ from: 'lead', thread, summary: 'More' })
  expect((await reader.fetch({ unread: true })).threads).toHaveLength(1)
  expect(await logAgrees(world)).toBe(true)
})

behaves('mark-read/show', async (world) => {
  const thread = await task(world)
  await world.inbox.send({ from: 'lead', thread, summary: 'More' })
  const other = await task(world)
  await world.as('worker').show({ thread, mark_read: true })
  const rows = await world.sql(
    'select thread_id, state, read_at, read_by from deliveries order by event_id',
  )
  expect(rows).toEqual([
    { thread_id: thread, state: 'read', read_at: DAWN, read_by: 'show' },
    { thread_id: thread, state: 'read', read_at: DAWN, read_by: 'show' },
    { thread_id: other, state: 'queued', read_at: null, read_by: null },
  ])
  expect((await world.as('worker').mailPeek({})).messages).toMatchObject([{ thread_id: other }])
})

behaves('mark-read/wait-reply-only', async (world) => {
  const { thread } = await blocked(world)
  const said = { from: 'lead', thread }
  await world.inbox.reply({ ...said, kind: 'progress', summary: 'Looking' })
  await world.inbox.reply({ ...said, summary: 'PEG' })
  const reader = world.as('worker')
  await reader.waitReply({ thread })
  await reader.list({})
  const rows = await world.sql(
    "select state, read_by from deliveries where recipient = 'worker' and seq > 1 order by seq",
  )
  expect(rows).toEqual([
    { state: 'queued', read_by: null },
    { state: 'read', read_by: world.door },
  ])
  const marks = () => world.sql('select last_read_seq from thread_reads')
  const unread = async () =>
    (await reader.fetch({ status: ['in_progress'], unread: true })).threads.length
  expect(await marks()).toEqual([])
  expect(await unread()).toBe(1)
  const { messages } = await reader.mailRead({})
  expect(messages).toMatchObject([{ subject: 'Looking' }])
  await reader.mailMarkRead({ all: true })
  expect(await marks()).toEqual([{ last_read_seq: 5 }])
  expect(await unread()).toBe(0)
  expect(await logAgrees(world)).toBe(true)
})

behaves('mark-read/wait-reply', async (world) => {
  const { thread } = await blocked(world)
  await world.inbox.reply({ from: 'lead', thread, summary: 'PEG' })
  const reader = world.as('worker')
  expect((await reader.mailPeek({})).messages).toMatchObject([{ type: 'answer', subject: 'PEG' }])
  await reader.waitReply({ thread })
  await reader.list({})
  expect((await reader.mailPeek({})).messages).toEqual([])
  const all = (await reader.mailPeek({ all: true })).messages
  expect(all.map(({ type, state }) => [type, state])).toEqual([
    ['task-assigned', 'acted'],
    ['answer', 'read'],
  ])
})
