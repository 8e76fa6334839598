// The clock was ahead for one write and then went back. Expiry uses real time, and the log stays in order.

import { expect } from 'bun:test'
import { openMailroom } from '../../../src/bin/compose.ts'
import { beginWake, endWake } from '../../../src/wake/wake-life.ts'
import { behaves } from '../../worlds/behaves.ts'
import { ailments } from '../../worlds/lived.ts'
import { logAgrees, task } from '../../worlds/scenes.ts'
import type { World } from '../../worlds/world.ts'

const HOURS = 2 * 3600

/** Writes something while the clock is two hours ahead. */
async function writeAhead(
  world: World,
  write = async () => void (await task(world)),
): Promise<void> {
  await world.clock.advance(HOURS)
  await write()
  await world.clock.advance(-HOURS)
}

behaves('time/order', async (world) => {
  const thread = await task(world)
  await writeAhead(world)
  await world.clock.advance(1)
  const said = await world.inbox.reply({ from: 'lead', thread, summary: 'And now' })
  await world.as('bob').agentRegister({ status: 'idle' })
  await world.inbox.mailSend({ from: 'lead', to: 'bob', body: 'Hello' })
  const rows = await world.sql('select created_at from events order by event_id')
  const times = rows.map(({ created_at }) => String(created_at))
  expect(times).toEqual(times.toSorted())
  const { messages } = await world.inbox.show({ thread })
  const last = messages.at(-1)
  expect(last?.message_id).toBe(said.message.message_id)
  expect(last?.created_at).toBe(said.message.created_at)
  expect(last?.created_at).toBe(times.at(-1))
  // A reader that continues from a time doesn't miss anything after the jump.
  const first = (await world.as('bob').mailRead({})).messages
  await world.inbox.mailSend({ from: 'lead', to: 'bob', body: 'Again' })
  const more = await world.as('bob').mailRead({ since: first[0]?.created_at })
  expect(more.messages.map(({ subject }) => subject)).toContain('Again')
  // Once the clock has caught up, new events get its time again.
  const later = await world.clock.advance(HOURS + 1)
  await task(world)
  expect(await world.sql('select max(created_at) as at from events')).toEqual([{ at: later }])
})

behaves('time/leases', async (world) => {
  await writeAhead(world)
  const thread = await task(world)
  const { lease } = await world.inbox.claim({ agent: 'worker', thread, lease_seconds: 2 })
  expect(lease?.expires_at).toBe(new Date(Date.parse(world.clock.now()) + 2000).toISOString())
  await world.clock.advance(1)
  await world.inbox.renew({ agent: 'worker', thread, lease_seconds: 2 })
  await world.clock.advance(1.999)
  await expect(world.inbox.claim({ agent: 'thief', thread })).rejects.toMatchObject({
    code: 'lease_conflict',
  })
  await world.clock.advance(0.001)
  expect((await world.inbox.sweep({})).threads).toMatchObject([{ thread_id: thread }])
  expect((await world.inbox.claim({ agent: 'other', thread })).lease).not.toBeNull()
})

behaves('time/granted-ahead', async (world) => {
  const threads = [await task(world), await task(world)]
  await writeAhead(world, async () => {
    for (const thread of threads) {
      await world.inbox.claim({ agent: 'worker', thread, lease_seconds: 60 })
    }
  })
  const [kept, ended] = threads as [string, string]
  const { findings } = await world.inbox.doctor({})
  const clock = findings.find(({ check }) => check === 'clock')
  for (const thread of threads) expect(clock?.detail).toContain(`the lease of ${thread} (worker)`)
  // A renewed lease counts from the current time, and anyone can cancel the thread.
  await world.inbox.renew({ agent: 'worker', thread: kept, lease_seconds: 60 })
  await world.clock.advance(60)
  expect((await world.inbox.claim({ agent: 'other', thread: kept })).lease).not.toBeNull()
  await world.inbox.cancel({ agent: 'lead', thread: ended, reason: 'It hangs' })
})

behaves('time/expiry', async (world) => {
  await world.as('bob').agentRegister({ status: 'idle' })
  await writeAhead(world)
  await world.inbox.mailSend({ from: 'lead', to: 'bob', body: 'Lunch?', expires_seconds: 2 })
  await world.clock.advance(1.999)
  expect(await world.as('bob').mailPeek({})).toMatchObject({ unread: 1 })
  await world.clock.advance(0.001)
  expect(await world.as('bob').mailPeek({})).toMatchObject({ unread: 0 })
  await world.inbox.sweep({})
  const { messages } = await world.as('lead').mailRead({})
  expect(messages).toMatchObject([{ subject: 'Expired, unread by bob' }])
})

behaves('time/presence', async (world) => {
  await writeAhead(world)
  await world.inbox.agentRegister({ agent: 'ann' })
  await world.inbox.agentStatus({ agent: 'ann', status: 'running' })
  const status = async () => {
    const { agents } = await world.inbox.agentList({})
    return agents.find(({ agent_id }) => agent_id === 'ann')?.status
  }
  expect(await status()).toBe('running')
  await world.clock.advance(901)
  expect(await status()).toBe('dormant')
})

/** Gives ann a turn if the rules allow one. The turn ends without reading the mail. */
async function takeTurn({ address }: World, state: 'ended' | 'failed' = 'ended'): Promise<boolean> {
  const { store, makeId, close } = await openMailroom(address)
  const begun = await beginWake(store, 'ann', { makeId, offsetMinutes: () => 0 })
  const end = { state, exit_code: 0, reason: 'x', stderr: '' } as const
  if (begun !== null) await endWake(store, begun, () => true, end)
  await close()
  return begun !== null
}

behaves('time/wakes', async (world) => {
  const user = world.as('user')
  const ask = () => user.mailSend({ to: 'ann', type: 'question', body: 'well?' })
  const ann = { agent: 'ann', wake_command: JSON.stringify(['true']), wake_budget_per_hour: 3 }
  await user.agentRegister({ ...ann, status: 'dormant' })
  await ask()
  await writeAhead(world, async () => {
    expect(await takeTurn(world)).toBe(true)
  })
  expect(await takeTurn(world)).toBe(false)
  await ask()
  expect([await takeTurn(world), await takeTurn(world)]).toEqual([true, false])
  // The same holds once the clock has reached the time of the jump, and after wakes are pruned.
  for (const seconds of [HOURS + 1, 40 * 24 * 3600]) {
    await world.clock.advance(seconds)
    await world.inbox.prune({})
    expect(await takeTurn(world)).toBe(false)
  }
  // Failures and starts from that time don't delay the agent either.
  await ask()
  await writeAhead(world, async () => {
    for (const _ of 'abc') {
      expect(await takeTurn(world, 'failed')).toBe(true)
      await world.clock.advance(600)
    }
    await world.clock.advance(-1800)
  })
  expect([await takeTurn(world), await takeTurn(world)]).toEqual([true, false])
  await user.agentRegister({ ...ann, wake_every_seconds: 60 })
  await world.clock.advance(60)
  await writeAhead(world, async () => {
    expect(await takeTurn(world)).toBe(true)
  })
  const due = world.clock.now()
  expect(await user.wakeExplain({ agent: 'ann' })).toMatchObject({ wakes: true, next_timer: due })
  expect([await takeTurn(world), await takeTurn(world)]).toEqual([true, false])
  await world.clock.advance(60)
  expect(await user.wakeExplain({ agent: 'ann' })).toMatchObject({ next_timer: world.clock.now() })
})

behaves('time/asleep', async (world) => {
  const user = world.as('user')
  await user.agentRegister({ agent: 'ann', wake_command: JSON.stringify(['true']) })
  await writeAhead(world, async () => {
    await world.as('ann').mailSend({ to: 'lead', type: 'status', body: 'Here' })
  })
  await user.agentStatus({ agent: 'ann', status: 'dormant' })
  await user.mailSend({ to: 'ann', type: 'question', body: 'well?' })
  const explained = () => user.wakeExplain({ agent: 'ann' })
  expect(await explained()).toMatchObject({ wakes: true })
  const at = await world.clock.advance(1)
  await world.as('ann').mailSend({ to: 'lead', type: 'status', body: 'Here again' })
  expect((await explained()).why).toContain(`last seen at ${at}`)
  // A declaration from the time of the jump doesn't outweigh a call made now.
  await writeAhead(world, async () => {
    await user.agentStatus({ agent: 'ann', status: 'dormant' })
  })
  await world.as('ann').mailSend({ to: 'lead', type: 'status', body: 'Still here' })
  expect(await explained()).toMatchObject({ wakes: false })
  await world.clock.advance(60)
  expect(await explained()).toMatchObject({ wakes: true })
})

behaves('time/replay', async (world) => {
  const thread = await task(world)
  await writeAhead(world)
  await world.inbox.claim({ agent: 'worker', thread, lease_seconds: 60 })
  await world.as('bob').agentRegister({ status: 'idle' })
  await world.inbox.mailSend({ from: 'lead', to: 'bob', body: 'Hello', expires_seconds: 60 })
  await world.as('bob').mailMarkRead({ all: true })
  await world.inbox.tokenIssue({ name: 'bob', days: 1 })
  expect(await logAgrees(world)).toBe(true)
  const log = await world.exportLog()
  const copy = await world.another('empty')
  await copy.importLog(log)
  expect(await logAgrees(copy)).toBe(true)
  expect(await copy.exportLog()).toBe(log)
  const expiry = 'select expires_at from leases'
  expect(await copy.sql(expiry)).toEqual(await world.sql(expiry))
})

behaves('doctor/clock', async (world) => {
  await world.inbox.send({ from: 'lead', to: 'worker', subject: 'One' })
  await writeAhead(world, async () => {
    await world.inbox.send({ from: 'ahead', to: 'worker', subject: 'Two' })
  })
  const report = await world.inbox.doctor({})
  const [first] = await world.sql("select min(event_id) as id from events where agent = 'ahead'")
  expect(report.findings.find(({ check }) => check === 'clock')).toMatchObject({
    ok: false,
    warning: true,
    remedy: expect.stringContaining('set the clock'),
    detail: expect.stringMatching(
      new RegExp(`^event ${first?.id} .* by ahead.* in 2 h by the clock`),
    ),
  })
  await world.clock.advance(HOURS)
  const healed = await world.inbox.doctor({})
  expect(ailments(healed)).toEqual([])
})
