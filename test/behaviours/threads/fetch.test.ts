import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { blocked, everything, held, take, task } from '../../worlds/scenes.ts'

behaves('fetch/own-pending', async (world) => {
  const mine = await task(world)
  await task(world, { to: 'other' })
  await held(world)
  const { threads, next_event_id } = await world.inbox.fetch({ agent: 'worker' })
  const { thread } = await world.inbox.show({ thread: mine })
  expect(threads).toEqual([{ ...thread, claimable: true, lease: null }])
  expect(next_event_id).toBe((await world.inbox.list({})).next_event_id)
})

behaves('fetch/order', async (world) => {
  const low = await task(world, { priority: 'low' })
  await world.clock.advance(1)
  const first = await task(world)
  await world.clock.advance(1)
  const high = await task(world, { priority: 'high' })
  await world.clock.advance(1)
  const second = await task(world)
  await world.inbox.send({ from: 'lead', thread: first, summary: 'Activity changes no turn' })
  const { threads } = await world.inbox.fetch({ agent: 'worker' })
  expect(threads.map((one) => one.thread_id)).toEqual([high, first, second, low])
})

behaves('fetch/lapsed', async (world) => {
  const { thread } = await held(world, 'worker', 60)
  expect((await world.inbox.fetch({ agent: 'worker' })).threads).toEqual([])
  await world.clock.advance(60)
  const { threads } = await world.inbox.fetch({ agent: 'worker' })
  expect(threads).toMatchObject([
    { thread_id: thread, status: 'claimed', claimable: true, lease: { live: false } },
  ])
})

behaves('fetch/changes-nothing', async (world) => {
  await task(world)
  await held(world, 'worker', 60)
  await world.clock.advance(61)
  const before = await everything(world)
  await world.inbox.fetch({ agent: 'worker' })
  await world.inbox.fetch({ agent: 'worker', unread: true, status: ['pending', 'claimed'] })
  expect(await everything(world)).toEqual(before)
})

behaves('fetch/grants-nothing', async (world) => {
  const thread = await task(world)
  await world.inbox.fetch({ agent: 'worker' })
  const mine = { agent: 'worker', thread, summary: 'Working' }
  await refused(world.inbox.update({ ...mine, status: 'in_progress' }), 'invalid_state')
  await refused(world.inbox.done(mine), 'invalid_state')
  await take(world, thread, 'other')
})

behaves('fetch/status', async (world) => {
  const pending = await task(world)
  await world.clock.advance(1)
  const { thread: live } = await held(world)
  await world.clock.advance(1)
  const { thread: question } = await blocked(world)
  await world.clock.advance(1)
  const { thread: lapsed } = await held(world, 'worker', 10)
  await world.clock.advance(1)
  const { thread: finished } = await held(world)
  await world.inbox.done({ agent: 'worker', thread: finished, summary: 'Done' })
  await world.clock.advance(10)

  const marks = async (status: ('pending' | 'claimed' | 'blocked' | 'done')[]) =>
    (await world.inbox.fetch({ agent: 'worker', status })).threads.map((one) => [
      one.thread_id,
      one.claimable,
    ])
  expect(await marks(['pending', 'blocked'])).toEqual([
    [pending, true],
    [question, false],
  ])
  expect(await marks(['claimed'])).toEqual([
    [live, false],
    [lapsed, true],
  ])
  expect(await marks(['done'])).toEqual([[finished, false]])
})

behaves('fetch/unread', async (world) => {
  const thread = await task(world)
  const unread = async () =>
    (await world.inbox.fetch({ agent: 'worker', unread: true })).threads.map((t) => t.thread_id)
  expect(await unread()).toEqual([thread])
  await world.inbox.show({ thread, agent: 'worker', mark_read: true })
  expect(await unread()).toEqual([])
  // An agent's own messages are not news to it, and another agent's read mark doesn't matter.
  await world.inbox.send({ from: 'worker', thread, summary: 'Soon' })
  expect(await unread()).toEqual([])
  await world.inbox.send({ from: 'lead', thread, summary: 'When?' })
  await world.inbox.show({ thread, agent: 'lead', mark_read: true })
  expect(await unread()).toEqual([thread])
})

behaves('fetch/limit', async (world) => {
  const ids: string[] = []
  for (const priority of ['low', 'normal', 'high'] as const) {
    ids.push(await task(world, { priority }))
  }
  const { threads } = await world.inbox.fetch({ agent: 'worker', limit: 2 })
  expect(threads.map((one) => one.thread_id)).toEqual([ids[2], ids[1]] as string[])
  await refused(world.inbox.fetch({ agent: 'worker', limit: 0 }), 'invalid_input')
})

behaves('fetch/empty', async (world) => {
  await task(world, { to: 'other' })
  const answer = await world.inbox.fetch({ agent: 'worker' })
  expect(answer.threads).toEqual([])
  expect(world.exitOf(answer)).toBe(10)
  expect(world.exitOf(await world.inbox.fetch({ agent: 'other' }))).toBe(0)
})

behaves('fetch/then-watch', async (world) => {
  await world.inbox.agentRegister({ agent: 'worker', role: 'builder' })
  for (const to of ['worker', 'role:builder']) {
    const { threads, next_event_id } = await world.inbox.fetch({ agent: 'worker' })
    expect(threads).toEqual([])
    const thread = await task(world, { to })
    const watch = { after_event: next_event_id, timeout_seconds: 1 } as const
    const answer = await world.inbox.watch({ agent: 'worker', ...watch })
    expect(answer).toMatchObject({ woke: true, threads: [{ thread_id: thread }] })
    await world.inbox.claim({ agent: 'worker' })
  }
})

behaves('fetch/bad-input', async ({ inbox }) => {
  await refused(inbox.fetch({}), 'invalid_input')
  await refused(inbox.fetch({ agent: 'worker', status: ['open' as 'pending'] }), 'invalid_input')
})
