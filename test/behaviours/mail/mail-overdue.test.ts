// A message expires at the time that its sender set, even if no sweep has run.

import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { everything, logAgrees } from '../../worlds/scenes.ts'
import type { World } from '../../worlds/world.ts'

async function mail(world: World, to: string, expires_seconds?: number): Promise<string> {
  const words = { from: 'lead', to, type: 'question' as const, body: 'Lunch?', expires_seconds }
  return (await world.inbox.mailSend(words)).message?.id as string
}

/** Two messages: one expires after a minute, one never does. */
async function sendTwo(world: World): Promise<[string, string]> {
  await world.as('worker').agentRegister({ wake_command: '["true"]' })
  return [await mail(world, 'worker', 60), await mail(world, 'worker')]
}

const LATE = { state: 'expired', reason: 'it was not read in time' }

behaves('overdue/look', async (world) => {
  const [late, other] = await sendTwo(world)
  const reader = world.as('worker')
  await world.clock.advance(59)
  expect(await reader.mailPeek({})).toMatchObject({ unread: 2, messages: [{ id: late }, {}] })
  await world.clock.advance(1)
  const before = await everything(world)
  expect(await reader.mailPeek({})).toMatchObject({ unread: 1, messages: [{ id: other }] })
  const all = await reader.mailPeek({ all: true })
  expect(all.messages).toMatchObject([{ id: late, read: false, state: 'expired' }, { id: other }])
  const { messages } = await world.inbox.mailReceipts({ agent: 'lead', message: late })
  expect(messages[0]?.receipts).toMatchObject([{ ...LATE, ended_at: world.clock.now() }])
  expect((await world.inbox.agentList({})).agents).toContainEqual(
    expect.objectContaining({ agent_id: 'worker', unread: 1 }),
  )
  expect(await everything(world)).toEqual(before)
  expect((await reader.mailRead({})).messages).toMatchObject([{ id: other }])
})

behaves('overdue/tells', async (world) => {
  for (const agent of ['lead', 'ann', 'bob', 'cat', 'dan', 'eve']) {
    await world.as(agent).agentRegister({ status: 'idle' })
  }
  const late = await mail(world, 'broadcast', 60)
  const other = await mail(world, 'ann', 60)
  await world.inbox.mailSend({ from: 'user', to: 'ann', body: 'Now', expires_seconds: 60 })
  await world.clock.advance(60)
  await world.as('ann').mailMarkRead({ all: true })
  await world.as('bob').mailMarkRead({ messages: [late] })
  await world.inbox.sweep({})
  const notes = (await world.as('lead').mailRead({})).messages
  const note = { from: 'system', to: 'agent:lead', type: 'status', read: false }
  const { reason } = LATE
  const by = (recipient: string) => ({ expired: [late], recipient, reason })
  expect(notes.toSorted((a, b) => (a.subject < b.subject ? -1 : 1))).toMatchObject([
    { ...note, subject: 'Expired, unread by ann' },
    { ...note, subject: 'Expired, unread by ann' },
    { ...note, in_reply_to: late, metadata: by('bob') },
    {
      ...note,
      subject: 'Expired, unread by cat, dan, eve',
      in_reply_to: late,
      metadata: { expired: [late], recipients: ['cat', 'dan', 'eve'], reason },
    },
  ])
  const ofOther = notes.find(({ in_reply_to }) => in_reply_to === other)
  expect(ofOther?.body).toContain('It was: Lunch?')
  expect((await world.as('user').mailPeek({})).messages).toMatchObject([{ from: 'system' }])
  // If a notice about an expired message isn't read, it causes no further notice, and it never expires.
  await world.inbox.agentStatus({ agent: 'lead', status: 'off' })
  await world.clock.advance(1_000_000)
  expect(await world.inbox.sweep({})).toMatchObject({ expired: [], bounced: 0 })
  expect(await world.sql("select 1 as n from messages where from_agent = 'system'")).toHaveLength(5)
  expect(await logAgrees(world)).toBe(true)
})

behaves('overdue/tells-marks', async (world) => {
  await world.as('worker').agentRegister({})
  const first = await mail(world, 'worker')
  const thread = (await world.inbox.mailHistory({})).messages[0]?.thread_id as string
  const said = { to: 'worker', in_reply_to: first, body: 'And', expires_seconds: 60 }
  await world.as('lead').mailSend(said)
  await world.clock.advance(60)
  expect(await world.as('worker').mailMarkRead({ all: true })).toMatchObject({ marked: 1 })
  // The reader's mark is at the last message it was sent, which comes before the notice.
  const [mark] = await world.sql('select last_read_seq from thread_reads')
  expect(mark?.last_read_seq).toBe(2)
  const { messages } = await world.inbox.show({ thread })
  expect(messages.map(({ from_agent, to_agent }) => [from_agent, to_agent])).toEqual([
    ['lead', 'worker'],
    ['lead', 'worker'],
    ['system', 'lead'],
  ])
  expect(await logAgrees(world)).toBe(true)
})

behaves('overdue/wakes-nobody', async (world) => {
  await world.as('worker').agentRegister({ wake_command: '["true"]' })
  await mail(world, 'worker', 60)
  await world.inbox.agentStatus({ agent: 'worker', status: 'dormant' })
  await world.clock.advance(59)
  expect(await world.inbox.wakeExplain({ agent: 'worker' })).toMatchObject({ wakes: true })
  await world.clock.advance(1)
  expect(await world.inbox.wakeExplain({ agent: 'worker' })).toMatchObject({ wakes: false })
})

behaves('overdue/queue', async (world) => {
  const late = await mail(world, 'role:builder', 60)
  const other = await mail(world, 'role:builder')
  await world.clock.advance(60)
  await world.as('bob').agentRegister({ role: 'builder', status: 'idle' })
  const { messages } = await world.as('bob').mailRead({ all: true })
  expect(messages).toMatchObject([{ id: other }])
  const receipts = await world.inbox.mailReceipts({ agent: 'lead', message: late })
  expect(receipts.messages[0]?.receipts).toMatchObject([{ recipient: 'role:builder', ...LATE }])
})

behaves('overdue/mark-read', async (world) => {
  const [late, other] = await sendTwo(world)
  await world.clock.advance(60)
  const marked = await world.as('worker').mailMarkRead({ messages: [late, other] })
  expect(marked).toMatchObject({ marked: 1, unread: 0 })
  const rows = await world.sql(
    "select state, reason, read_at from deliveries where recipient = 'worker' order by event_id",
  )
  expect(rows).toMatchObject([{ ...LATE, read_at: null }, { state: 'read' }])
  expect(await logAgrees(world)).toBe(true)
  await mail(world, 'worker', 60)
  await world.clock.advance(60)
  expect(await world.as('worker').mailMarkRead({ all: true })).toMatchObject({ marked: 0 })
  expect((await world.inbox.sweep({})).expired).toEqual([])
})
