// Senders that wait until their mail has arrived.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { DAWN } from '../../worlds/store.ts'
import { mail, team } from '../../worlds/team.ts'
import { until } from '../../worlds/world.ts'

behaves('mail-send/wait', async (world) => {
  await team(world)
  const waiting = mail(world, { to: 'broadcast', wait: 'read', timeout_seconds: 240 })
  const sent = await until(async () => {
    const { messages } = await world.inbox.mailReceipts({ agent: 'orchestrator' })
    return messages[0]
  }, 'the message is there')
  await world.inbox.mailRead({ agent: 'ann' })
  await world.inbox.mailMarkRead({ agent: 'bob', all: true })
  await world.inbox.mailMarkRead({ agent: 'ann', messages: [sent.id] })
  const answer = await waiting
  expect(answer).toMatchObject({
    message: { id: sent.id },
    reached: true,
    lost: [],
    receipts: [
      { recipient: 'ann', state: 'read', presented_by: world.door, read_by: 'mark' },
      { recipient: 'bob', state: 'read', presented_at: null, read_by: 'mark' },
    ],
  })
  expect(world.exitOf(answer)).toBe(0)
  // There is no recipient to wait for.
  await world.inbox.agentStatus({ agent: 'ann', status: 'dormant' })
  const nobody = await mail(world, { from: 'bob', to: '@nowhere', wait: 'acted' }).catch((no) => no)
  expect(nobody.code).toBe('not_found')
})

behaves('mail-send/wait-nobody', async (world) => {
  await world.inbox.agentRegister({ agent: 'ann' })
  const sent = await mail(world, { from: 'ann', to: 'broadcast', wait: 'presented' })
  expect(sent).toMatchObject({ recipients: [], reached: false, lost: [], receipts: [] })
  expect(world.exitOf(sent)).toBe(10)
})

behaves('mail-send/wait-timeout', async (world) => {
  await team(world)
  const sent = await mail(world, { to: 'broadcast', wait: 'presented', timeout_seconds: 1 })
  expect(sent).toMatchObject({
    reached: false,
    lost: [],
    receipts: [
      { recipient: 'ann', state: 'queued', queued_at: DAWN, presented_at: null },
      { recipient: 'bob', state: 'queued', queued_at: DAWN, presented_at: null },
    ],
  })
  expect(world.exitOf(sent)).toBe(10)
})

behaves('mail-send/wait-lost', async (world) => {
  await team(world)
  const bounced = mail(world, { to: 'broadcast', wait: 'acted', timeout_seconds: 240 })
  const sent = await until(async () => {
    const { messages } = await world.inbox.mailReceipts({ agent: 'orchestrator' })
    return messages[0]
  }, 'the message is there')
  await world.inbox.mailSend({ from: 'bob', in_reply_to: sent.id, body: 'Yes' })
  await world.inbox.agentStatus({ agent: 'ann', status: 'off' })
  const answer = await bounced
  expect(answer).toMatchObject({
    reached: false,
    lost: [{ recipient: 'ann', state: 'bounced', reason: 'ann is off' }],
    receipts: [
      { recipient: 'ann', state: 'bounced' },
      { recipient: 'bob', state: 'acted', acted_by: 'mail_append' },
    ],
  })
  expect(world.exitOf(answer)).toBe(10)
  const late = mail(world, { to: 'bob', expires_seconds: 60, wait: 'read', timeout_seconds: 240 })
  await until(async () => {
    const [row] = await world.sql(
      'select count(*) as n from deliveries where expires_at is not null',
    )
    return Number(row?.n) > 0
  }, 'it is sent')
  await world.clock.advance(60)
  expect(await late).toMatchObject({
    reached: false,
    lost: [{ recipient: 'bob', state: 'expired', reason: 'it was not read in time' }],
  })
})
