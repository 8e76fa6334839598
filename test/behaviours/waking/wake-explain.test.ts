// Whether an agent would be started, why or why not, and the log of its starts.
import { expect } from 'bun:test'
import { openMailroom } from '../../../src/bin/compose.ts'
import { MAIL_TYPES } from '../../../src/core/vocabulary.ts'
import { beginWake, endWake } from '../../../src/wake/wake-life.ts'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import type { World } from '../../worlds/world.ts'

const COMMAND = JSON.stringify(['true'])

async function explainWake({ inbox }: World, agent = 'ann') {
  return inbox.wakeExplain({ agent })
}

behaves('wake/explain', async (world) => {
  const user = world.as('user')
  await user.agentRegister({ agent: 'ann' })
  expect(await explainWake(world)).toMatchObject({
    agent: 'ann',
    wakes: false,
    cause: null,
    waking: 0,
    budget_left: 30,
    next_timer: null,
    again: null,
    wakes_before: [],
    types: ['task-assigned', 'review-request', 'question', 'answer'],
  })
  await user.mailSend({ to: 'ann', type: 'question', body: 'well?' })
  expect((await explainWake(world)).why).toBe('ann has no wake command')
  // In the shell, a call that names an agent counts as the agent's, so an agent that leaves has to declare it.
  await user.agentRegister({ agent: 'ann', wake_command: COMMAND, status: 'dormant' })
  expect(await explainWake(world)).toMatchObject({
    wakes: true,
    cause: 'mail',
    waking: 1,
    why: 'ann is dormant, and question wakes ann',
  })
  await user.agentStatus({ agent: 'ann', status: 'running' })
  expect(await explainWake(world)).toMatchObject({
    wakes: false,
    why: 'ann is running',
    again: '2026-03-01T08:00:30.000Z',
  })
  await user.agentRegister({ agent: 'bob', wake_command: COMMAND, status: 'dormant' })
  await world.inbox.mailSend({ from: 'ann', to: 'bob', body: 'just so' })
  expect((await explainWake(world, 'bob')).why).toContain('custom from ann does not wake bob')
  await world.inbox.mailSend({ from: 'user', to: 'bob', type: 'status', body: 'fine' })
  expect((await explainWake(world, 'bob')).wakes).toBe(false)
  await world.inbox.mailSend({ from: 'user', to: 'bob', body: 'from a person' })
  expect(await explainWake(world, 'bob')).toMatchObject({ wakes: true, waking: 1 })
})

behaves('wake/call', async (world) => {
  const user = world.as('user')
  const leader = { agent: 'orchestrator', wake_command: COMMAND, status: 'dormant' } as const
  await user.agentRegister(leader)
  const { agent: worker } = await world.inbox.agentRegister({ agent: 'b1' })
  const asked = async () => {
    await world.clock.advance(1)
    await world.inbox.send({ from: 'orchestrator', to: worker.agent_id, subject: 'Begin' })
    const done = { from: 'b1', to: 'orchestrator', type: 'task-done', body: 'Done' } as const
    await world.inbox.mailSend(done)
    return explainWake(world, 'orchestrator')
  }
  expect(await asked()).toMatchObject({ wakes: false, again: '2026-03-01T08:01:01.000Z' })
  await world.clock.advance(60)
  expect((await explainWake(world, 'orchestrator')).wakes).toBe(true)
  // The time can be set and reset.
  await user.agentRegister({ agent: 'orchestrator', wake_after_seconds: 300 })
  expect((await asked()).wakes).toBe(false)
  await world.clock.advance(299)
  expect((await explainWake(world, 'orchestrator')).wakes).toBe(false)
  await world.clock.advance(1)
  expect((await explainWake(world, 'orchestrator')).wakes).toBe(true)
  await user.agentRegister({ agent: 'orchestrator', wake_after_seconds: 0 })
  expect((await asked()).wakes).toBe(true)
  // An agent without a wake command counts as idle for longer, because a second copy of it can't be started.
  const { agent } = await user.agentStatus({ agent: 'b1' })
  expect(agent.status).toBe('idle')
})

behaves('wake/turn', async (world) => {
  const user = world.as('user')
  await user.agentRegister({ agent: 'ann', wake_command: COMMAND })
  await user.mailSend({ to: 'ann', type: 'question', body: 'well?' })
  const turn = "insert into turns values ('ann', 'ses_1', 'claude', '', ?)"
  await world.sql(turn, world.clock.now())
  const status = async () => {
    const { agent } = await user.agentStatus({ agent: 'ann' })
    return `${agent.status} by ${agent.evidence.by}`
  }
  expect(await status()).toBe('running by turn')
  await world.clock.advance(899)
  expect(await explainWake(world)).toMatchObject({ wakes: false, why: 'ann is running' })
  await world.clock.advance(1)
  expect((await explainWake(world)).wakes).toBe(true)
  await world.inbox.claim({ agent: 'ann' })
  await world.clock.advance(300)
  expect(await status()).toBe('running by turn')
  await world.sql('delete from turns')
  expect(await status()).toBe('dormant by seen')
})

behaves('wake/explain-all', async (world) => {
  const user = world.as('user')
  await user.agentRegister({ agent: 'orchestrator', wake_command: COMMAND })
  expect(await explainWake(world, 'orchestrator')).toMatchObject({
    types: ['task-done', 'review-result', 'question'],
    types_from_people: MAIL_TYPES.filter((type) => type !== 'status'),
  })
  await user.agentRegister({ agent: 'orchestrator', wake_types: ['answer'] })
  expect(await explainWake(world, 'orchestrator')).toMatchObject({
    types: ['answer'],
    types_from_people: ['answer'],
  })
})

behaves('wake/explain-limits', async (world) => {
  const user = world.as('user')
  const local = new Date(world.clock.now())
  const hour = local.getHours()
  const settings = { wake_command: COMMAND, wake_budget_per_hour: 1, status: 'dormant' } as const
  await user.agentRegister({ agent: 'ann', ...settings, wake_quiet: `${hour}-${hour + 1}` })
  await user.mailSend({ to: 'ann', type: 'question', body: 'well?' })
  local.setHours(hour + 1, 0, 0, 0)
  const end = local.toISOString()
  expect(await explainWake(world)).toMatchObject({
    wakes: false,
    why: `it has quiet hours until ${end}`,
    again: end,
  })
  await world.clock.set(end)
  expect((await explainWake(world)).wakes).toBe(true)
  const again = new Date(Date.parse(end) + 3_600_000).toISOString()
  await turnOf(world, 'ann')
  await user.mailSend({ to: 'ann', type: 'question', body: 'and now?' })
  expect(await explainWake(world)).toMatchObject({
    wakes: false,
    again,
    budget_left: 0,
    waking: 1,
    why: `its budget of 1 starts in an hour is used up until ${again}`,
  })
  const bob = { agent: 'bob', wake_command: COMMAND, wake_hop_limit: 1 }
  await user.agentRegister({ ...bob, status: 'dormant' })
  // Written during a turn, so there is one wake between a person's message and this one.
  await world.clock.advance(3600)
  await turnOf(world, 'ann', () =>
    world.inbox.mailSend({ from: 'ann', to: 'bob', type: 'question', body: 'pass it on' }),
  )
  expect((await explainWake(world, 'bob')).why).toContain('the limit is 1')
  // Sending work doesn't get around the limit.
  await world.clock.advance(3600)
  await user.mailSend({ to: 'ann', type: 'question', body: 'once more' })
  await turnOf(world, 'ann', async () => {
    await world.inbox.send({ from: 'ann', to: 'bob', subject: 'do it' })
    const { thread } = await world.inbox.send({ from: 'user', to: 'ann', subject: 'yours' })
    const which = { thread: thread.thread_id, from: 'ann', to: 'bob', summary: 'well?' } as const
    await world.inbox.reply({ ...which, kind: 'question' })
    await world.inbox.claim({ agent: 'ann', thread: thread.thread_id })
    const agent = { agent: 'ann', thread: thread.thread_id, summary: 'which?' }
    await world.inbox.update({ ...agent, status: 'blocked' })
    await world.inbox.done(agent)
  })
  const said = "select hops from messages where from_agent = 'ann' and kind <> 'event'"
  expect((await world.sql(said)).map(({ hops }) => hops)).toEqual([1, 1, 1, 1, 1])
  expect((await explainWake(world, 'bob')).wakes).toBe(false)
})

behaves('wake/dry-run', async (world) => {
  const user = world.as('user')
  const words = { to: 'ann', type: 'question', body: 'well?' } as const
  const same = async (wakes: boolean, part: string) => {
    const { would } = await user.mailSend({ ...words, dry_run: true })
    const { why } = await explainWake(world)
    expect(would).toEqual([{ recipient: 'ann', wakes, why }])
    expect(why).toContain(part)
  }
  const hour = new Date(world.clock.now()).getHours()
  const asleep = { agent: 'ann', status: 'dormant' } as const
  const settings = { ...asleep, wake_command: COMMAND, wake_budget_per_hour: 1 }
  await user.agentRegister({ ...settings, wake_quiet: `${hour}-${hour + 1}` })
  await user.mailSend(words)
  await same(false, 'quiet hours')
  await user.agentRegister({ ...asleep, wake_quiet: 'none' })
  await same(true, 'question wakes ann')
  await user.agentStatus({ agent: 'ann', status: 'idle' })
  await same(false, 'it is thought to be there until')
  await user.agentStatus({ agent: 'ann', status: 'running' })
  await same(false, 'is running')
  await user.agentStatus({ agent: 'ann', status: 'dormant' })
  await turnOf(world, 'ann', () => same(false, 'is starting'), 'failed')
  await user.agentRegister({ ...asleep, wake_budget_per_hour: 9 })
  await same(false, 'it is tried again at')
  await world.clock.advance(60)
  await turnOf(world, 'ann')
  await user.mailSend(words)
  await user.agentRegister({ ...asleep, wake_budget_per_hour: 2 })
  await same(false, 'its budget of 2 starts')
  await user.agentStatus({ agent: 'ann', status: 'off' })
  const refusal = await refused(user.mailSend({ ...words, dry_run: true }), 'invalid_state')
  expect(refusal.message).toContain('off')
})

/** Takes an agent through a turn as the broker does, but without a program. */
async function turnOf(
  { address }: World,
  agent: string,
  during: () => Promise<unknown> = async () => {},
  state: 'ended' | 'failed' = 'ended',
) {
  const { store, makeId, close } = await openMailroom(address)
  const begun = await beginWake(store, agent, { makeId, offsetMinutes: () => 0 })
  if (begun === null) throw new Error('the rules do not allow this wake')
  await during()
  const end = { state, exit_code: 0, reason: '', stderr: 'bye\n' } as const
  await endWake(store, begun, () => true, end)
  await close()
  return begun
}

behaves('wake/explain-unknown', async (world) => {
  await refused(world.inbox.wakeExplain({ agent: 'nobody' }), 'not_found')
})

behaves('wake/log', async (world) => {
  const none = await world.inbox.wakeLog({})
  expect(none).toEqual({ wakes: [], has_more: false })
  expect(world.exitOf(none)).toBe(0)
  const user = world.as('user')
  for (const agent of ['ann', 'bob']) {
    await user.agentRegister({ agent, wake_command: COMMAND, status: 'dormant' })
    await user.mailSend({ to: agent, type: 'question', body: 'well?' })
  }
  const first = await turnOf(world, 'ann')
  await world.clock.advance(1)
  const second = await turnOf(world, 'bob')
  const all = await world.inbox.wakeLog({})
  expect(all.wakes.map(({ wake_id }) => wake_id)).toEqual([second.wake_id, first.wake_id])
  expect((await world.inbox.wakeLog({ limit: 1 })).wakes).toHaveLength(1)
  const { wakes } = await world.inbox.wakeLog({ agent: 'ann' })
  expect(wakes).toMatchObject([
    {
      wake_id: first.wake_id,
      agent_id: 'ann',
      state: 'ended',
      cause: 'mail',
      attempt: 1,
      hops: 0,
      exit_code: 0,
      reason: '',
      stderr: 'bye\n',
      ended_at: '2026-03-01T08:00:00.000Z',
    },
  ])
  expect(JSON.stringify(all)).not.toContain(first.token)
})
