// Work for a role: the first member that claims it gets it.

import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { everything, logAgrees, task } from '../../worlds/scenes.ts'
import { until, type World } from '../../worlds/world.ts'

/** Available builders, and one agent with another role. */
async function team(world: World): Promise<void> {
  for (const agent of ['ann', 'bob', 'cat']) {
    await world.inbox.agentRegister({ agent, role: 'builder', status: 'idle' })
  }
  await world.inbox.agentRegister({ agent: 'tim', role: 'tester', status: 'idle' })
}

const forRole = (world: World, more = {}) => task(world, { to: 'role:builder', ...more })

async function fetched(world: World, agent: string, more = {}): Promise<string[]> {
  const { threads } = await world.inbox.fetch({ agent, ...more })
  return threads.map(({ thread_id }) => thread_id)
}

async function unread(world: World, agent: string): Promise<string[]> {
  const { messages } = await world.inbox.mailPeek({ agent })
  return messages.map(({ thread_id }) => thread_id)
}

behaves('role-work/fetch', async (world) => {
  await team(world)
  const thread = await forRole(world)
  const shown = await world.inbox.show({ thread })
  expect(shown.thread).toMatchObject({ status: 'pending', assigned_to: 'role:builder' })
  for (const agent of ['ann', 'bob', 'cat']) {
    const { threads } = await world.inbox.fetch({ agent })
    expect(threads).toMatchObject([{ thread_id: thread, claimable: true }])
    expect(await fetched(world, agent, { status: ['pending', 'claimed'] })).toEqual([thread])
  }
  for (const agent of ['tim', 'lead', 'nobody']) expect(await fetched(world, agent)).toEqual([])
  const { threads } = await world.inbox.list({ assigned_to: 'role:builder' })
  expect(threads).toHaveLength(1)
  expect((await world.inbox.agentList({})).agents.map(({ agent_id }) => agent_id)).not.toContain(
    'role:builder',
  )
  // Work that a member sends to its own role is meant for the other members.
  const own = await forRole(world, { from: 'ann' })
  expect(await fetched(world, 'ann')).toEqual([thread])
  expect(await fetched(world, 'bob')).toEqual([thread, own])
})

behaves('role-work/claim', async (world) => {
  await team(world)
  const thread = await forRole(world)
  expect(world.exitOf(await world.inbox.claim({ agent: 'tim' }))).toBe(10)
  const claimed = await world.inbox.claim({ agent: 'cat' })
  expect(claimed).toMatchObject({ thread: { thread_id: thread, assigned_to: 'cat' } })
  expect(claimed.message).toMatchObject({ to_agent: 'role:builder', kind: 'task' })
  for (const agent of ['ann', 'bob']) {
    expect(await fetched(world, agent)).toEqual([])
    expect((await world.inbox.claim({ agent })).thread).toBeNull()
    await refused(world.inbox.claim({ agent, thread }), 'lease_conflict')
  }
  const done = await world.inbox.done({ agent: 'cat', thread, summary: 'Built' })
  expect(done.thread).toMatchObject({ status: 'done', assigned_to: 'cat' })
  expect(await logAgrees(world)).toBe(true)
})

behaves('role-work/order', async (world) => {
  await team(world)
  const low = await task(world, { to: 'ann', priority: 'low' })
  await world.clock.advance(1)
  const first = await forRole(world)
  await world.clock.advance(1)
  const own = await task(world, { to: 'ann' })
  await world.clock.advance(1)
  const high = await forRole(world, { priority: 'high' })
  expect(await fetched(world, 'ann')).toEqual([high, first, own, low])
  for (const thread of [high, first, own, low]) {
    expect((await world.inbox.claim({ agent: 'ann' })).thread?.thread_id).toBe(thread)
  }
})

behaves('role-work/turns', async (world) => {
  await team(world)
  const [one, two] = [await forRole(world), await forRole(world)]
  expect(await unread(world, 'ann')).toEqual([one])
  expect(await unread(world, 'bob')).toEqual([two])
  expect(await unread(world, 'cat')).toEqual([])
  expect(await fetched(world, 'ann', { unread: true })).toEqual([one])
  await world.inbox.claim({ agent: 'cat', thread: one })
  expect(await unread(world, 'ann')).toEqual([])
  expect(await unread(world, 'bob')).toEqual([two])
  const [row] = await world.sql(
    "select state, reason from deliveries where recipient = 'ann' and thread_id = ?",
    one,
  )
  expect(row).toMatchObject({ state: 'expired', reason: 'claimed by cat' })
  await world.inbox.claim({ agent: 'bob', thread: two })
  const [own] = await world.sql(
    "select state from deliveries where recipient = 'bob' and thread_id = ?",
    two,
  )
  expect(own?.state).toBe('acted')
  expect(await logAgrees(world)).toBe(true)
})

behaves('role-work/queue', async (world) => {
  await world.inbox.agentRegister({ agent: 'ann', role: 'builder', status: 'dormant' })
  await world.clock.advance(1000)
  const [one, two, three] = [await forRole(world), await forRole(world), await forRole(world)]
  const queue = () => world.sql("select state from deliveries where recipient = 'role:builder'")
  expect(await queue()).toHaveLength(3)
  expect((await fetched(world, 'ann')).toSorted()).toEqual([one, two, three].toSorted())
  await world.inbox.claim({ agent: 'ann', thread: one })
  expect((await queue()).map(({ state }) => state).sort()).toEqual(['expired', 'queued', 'queued'])
  // Work that is over isn't shown to later readers.
  await world.inbox.cancel({ agent: 'lead', thread: three, reason: 'Never mind' })
  const read = await world.as('ann').mailRead({})
  expect(read.messages.map(({ thread_id, type }) => [thread_id, type])).toEqual([
    [two, 'task-assigned'],
    [three, 'task-assigned'],
  ])
  expect(await fetched(world, 'ann')).toEqual([two])
  await world.inbox.send({ from: 'lead', thread: two, summary: 'In blue' })
  await world.inbox.agentRegister({ agent: 'bob', role: 'builder', status: 'idle' })
  expect(await unread(world, 'bob')).toEqual([two])
  await world.inbox.claim({ agent: 'bob', thread: two })
  expect(await unread(world, 'ann')).toEqual([three])
  expect(await logAgrees(world)).toBe(true)
})

behaves('role-work/lapse', async (world) => {
  await team(world)
  const thread = await forRole(world)
  await world.inbox.claim({ agent: 'cat', lease_seconds: 60 })
  await world.clock.advance(61)
  const { threads } = await world.inbox.sweep({})
  expect(threads).toMatchObject([
    { thread_id: thread, status: 'pending', assigned_to: 'role:builder' },
  ])
  expect((await world.inbox.claim({ agent: 'bob' })).thread?.assigned_to).toBe('bob')
  expect(await logAgrees(world)).toBe(true)
})

behaves('role-work/log', async (world) => {
  await team(world)
  const [one] = [await forRole(world), await forRole(world)]
  await world.inbox.claim({ agent: 'cat', thread: one, lease_seconds: 60 })
  await world.clock.advance(61)
  await world.inbox.sweep({})
  await world.inbox.claim({ agent: 'tim', thread: one })
  const log = await world.exportLog()
  const copy = await world.another('empty')
  expect(await copy.importLog(log)).toMatchObject({ rejected: [] })
  expect(await copy.exportLog()).toBe(log)
  expect(await logAgrees(copy)).toBe(true)
})

behaves('role-work/refused', async (world) => {
  await team(world)
  const thread = await task(world)
  const before = await everything(world)
  for (const to of ['broadcast', '@night', 'role:', 'role:two words']) {
    await refused(task(world, { to }), 'invalid_input')
  }
  const adding = { from: 'lead', thread, to: 'role:builder', summary: 'And' }
  await refused(world.inbox.send(adding), 'invalid_input')
  expect(await everything(world)).toEqual(before)
  // The orchestrator can be addressed by its role.
  await world.inbox.agentRegister({ agent: 'boss', role: 'orchestrator' })
  const work = await task(world, { to: 'role:orchestrator' })
  expect((await world.inbox.show({ thread: work })).thread.assigned_to).toBe('boss')
  const named = await task(world, { to: 'agent:ann' })
  expect((await world.inbox.show({ thread: named })).thread.assigned_to).toBe('ann')
})

behaves('role-work/watch', async (world) => {
  await team(world)
  await world.inbox.agentRegister({ agent: 'dan', role: 'painter', status: 'idle' })
  const after_event = (await world.inbox.list({ limit: 1 })).next_event_id
  const long = { after_event, timeout_seconds: 900 } as const
  // After this, a wait records a sighting immediately.
  await world.clock.advance(100)
  const watching = ['ann', 'cat', 'dan'].map((agent) => world.as(agent).watch(long))
  const waiting = "select agent_id from sightings where waiting_until > ''"
  await until(async () => (await world.sql(waiting)).length === 3, 'all wait')
  await world.inbox.agentRegister({ agent: 'dan', role: 'builder' })
  const thread = await forRole(world)
  for (const answer of await Promise.all(watching)) {
    expect(answer).toMatchObject({
      woke: true,
      events: [{ event_type: 'thread_send', thread_id: thread }],
      threads: [{ assigned_to: 'role:builder', status: 'pending' }],
    })
  }
  const pending = { after_event, status: ['pending' as const], timeout_seconds: 1 }
  expect(await world.as('bob').watch(pending)).toMatchObject({ woke: true })
  // Other agents aren't told about it, and neither are members once the work is claimed or canceled.
  expect(await world.as('tim').watch(pending)).toMatchObject({ woke: false })
  await world.inbox.claim({ agent: 'cat', thread })
  const next = await forRole(world)
  await world.inbox.cancel({ agent: 'lead', thread: next })
  expect(await world.as('bob').watch(pending)).toMatchObject({ woke: false, events: [] })
})

behaves('role-work/at-once', async (world) => {
  await team(world)
  const threads: string[] = []
  for (let i = 0; i < 6; i++) threads.push(await forRole(world))
  const agents = ['ann', 'bob', 'cat', 'ann', 'bob', 'cat']
  const claims = await Promise.all(agents.map((agent) => world.inbox.claim({ agent })))
  const got = claims.map(({ thread }) => thread?.thread_id)
  expect(got.toSorted()).toEqual(threads.toSorted())
})
