import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { everything, held, statusOf, take, task } from '../../worlds/scenes.ts'
import { DAWN } from '../../worlds/store.ts'

behaves('claim/by-id', async (world) => {
  const thread = await task(world)
  const later = await world.clock.advance(5)
  const claimed = await world.inbox.claim({ agent: 'worker', thread })
  expect(world.exitOf(claimed)).toBe(0)
  expect(claimed.lease).toEqual({
    agent: 'worker',
    lease_token: expect.stringMatching(/^lse_[0-9a-z]{26}$/),
    generation: 1,
    expires_at: '2026-03-01T08:15:05.000Z',
  })
  expect(claimed.thread).toMatchObject({
    thread_id: thread,
    status: 'claimed',
    assigned_to: 'worker',
    created_at: DAWN,
    updated_at: later,
  })
  expect(claimed.next_event_id).toBe((await world.inbox.list({})).next_event_id)
})

behaves('claim/says-so', async (world) => {
  const { thread } = await held(world, 'worker', 120)
  const { messages } = await world.inbox.show({ thread })
  expect(messages).toHaveLength(2)
  expect(messages[1]).toMatchObject({
    seq: 2,
    from_agent: 'worker',
    to_agent: 'lead',
    kind: 'event',
    summary: 'thread claimed',
    payload_json: { lease_seconds: 120 },
  })
})

behaves('claim/asks', async (world) => {
  const thread = await task(world, { summary: 'By hand, please' })
  await world.inbox.send({ from: 'lead', thread, summary: 'And soon' })
  const { message } = await world.inbox.claim({ agent: 'worker', thread })
  expect(message).toMatchObject({ seq: 1, kind: 'task', summary: 'By hand, please' })
})

behaves('claim/any-agent', async (world) => {
  const thread = await task(world)
  await take(world, thread, 'helper')
  expect((await world.inbox.show({ thread })).thread.assigned_to).toBe('helper')
})

behaves('claim/next', async (world) => {
  const low = await task(world, { priority: 'low' })
  await world.clock.advance(1)
  const old = await task(world)
  await world.clock.advance(1)
  const young = await task(world)
  await world.clock.advance(1)
  const high = await task(world, { priority: 'high' })
  const taken: (string | undefined)[] = []
  for (let i = 0; i < 4; i++) {
    const { thread, lease } = await world.inbox.claim({ agent: 'worker' })
    expect(lease).not.toBeNull()
    taken.push(thread?.thread_id)
  }
  expect(taken).toEqual([high, old, young, low])
})

behaves('claim/next-lapsed', async (world) => {
  const { thread: lapsed } = await held(world, 'worker', 60)
  await world.clock.advance(60)
  const later = await task(world)
  const first = await world.inbox.claim({ agent: 'worker' })
  expect(first).toMatchObject({ thread: { thread_id: lapsed }, lease: { generation: 2 } })
  const second = await world.inbox.claim({ agent: 'worker' })
  expect(second).toMatchObject({ thread: { thread_id: later }, lease: { generation: 1 } })
})

behaves('claim/next-not-anothers', async (world) => {
  await task(world, { to: 'other' })
  await held(world)
  const finished = await task(world)
  await world.inbox.cancel({ agent: 'lead', thread: finished })
  expect((await world.inbox.claim({ agent: 'worker' })).thread).toBeNull()
  expect((await world.inbox.claim({ agent: 'lead' })).thread).toBeNull()
})

behaves('claim/next-nothing', async (world) => {
  const { next_event_id } = await world.inbox.agentRegister({ agent: 'worker' })
  const before = await everything(world)
  const answer = await world.inbox.claim({ agent: 'worker' })
  expect(answer).toEqual({ thread: null, lease: null, message: null, next_event_id })
  expect(world.exitOf(answer)).toBe(10)
  const after = await everything(world)
  expect(after.events).toEqual(before.events as [])
})

behaves('claim/then-watch', async (world) => {
  await world.inbox.agentRegister({ agent: 'worker', role: 'builder', status: 'idle' })
  const sent: string[] = []
  const sending = (async () => {
    for (let i = 0; i < 12; i++) {
      sent.push(await task(world, i % 2 === 0 ? {} : { to: 'role:builder' }))
    }
  })()
  const got: string[] = []
  // The watch must return even if work arrives between the claim and the watch.
  while (got.length < 12) {
    const { thread, next_event_id } = await world.inbox.claim({ agent: 'worker' })
    if (thread !== null) got.push(thread.thread_id)
    else {
      const watch = { after_event: next_event_id, timeout_seconds: 240 } as const
      expect(await world.inbox.watch({ agent: 'worker', ...watch })).toMatchObject({ woke: true })
    }
  }
  await sending
  expect(got.toSorted()).toEqual(sent.toSorted())
})

behaves('claim/conflict', async (world) => {
  const { thread } = await held(world)
  const before = (await everything(world)).messages
  const no = await refused(world.inbox.claim({ agent: 'other', thread }), 'lease_conflict')
  expect(no.message).toContain('worker')
  expect(no.details).toEqual({
    thread_id: thread,
    held_by: 'worker',
    expires_at: '2026-03-01T08:15:00.000Z',
  })
  expect((await everything(world)).messages).toEqual(before as [])
})

behaves('claim/lapsed-is-free', async (world) => {
  const { thread, token } = await held(world, 'worker', 60)
  await world.clock.advance(60)
  const { lease, ...taken } = await world.inbox.claim({ agent: 'other', thread })
  expect(lease).toMatchObject({ agent: 'other', generation: 2 })
  expect(lease?.lease_token).not.toBe(token)
  expect(taken.thread).toMatchObject({ status: 'claimed', assigned_to: 'other' })
})

behaves('claim/edge', async (world) => {
  const { thread } = await held(world, 'worker', 60)
  // A report extends the lease, so it is made on another thread.
  const { thread: kept } = await held(world, 'worker', 60)
  await world.clock.advance(59.999)
  await refused(world.inbox.claim({ agent: 'other', thread }), 'lease_conflict')
  const late = { agent: 'worker', status: 'in_progress', summary: 'Late' } as const
  await world.inbox.update({ ...late, thread: kept })
  await world.clock.advance(0.001)
  const mine = { agent: 'worker', thread, status: 'in_progress' as const, summary: 'Too late' }
  await refused(world.inbox.update(mine), 'lease_conflict')
  await take(world, thread, 'other')
})

behaves('claim/holder-without-token', async (world) => {
  const { thread } = await held(world)
  await refused(world.inbox.claim({ agent: 'worker', thread }), 'lease_conflict')
})

behaves('claim/holder-with-token', async (world) => {
  const { thread, token } = await held(world)
  const before = await everything(world)
  await world.clock.advance(1)
  const again = await world.inbox.claim({ agent: 'worker', thread, lease_token: token })
  expect(again.lease).toEqual({
    agent: 'worker',
    lease_token: token,
    generation: 1,
    expires_at: '2026-03-01T08:15:00.000Z',
  })
  expect((await everything(world)).events).toEqual(before.events as [])
  const wrong = { agent: 'worker', thread, lease_token: 'lse_wrong' }
  await refused(world.inbox.claim(wrong), 'lease_conflict')
})

behaves('claim/several', async (world) => {
  const one = await held(world)
  const two = await held(world)
  for (const { thread, token } of [one, two]) {
    const mine = { agent: 'worker', thread, lease_token: token, summary: 'Done' }
    expect((await world.inbox.done(mine)).thread.status).toBe('done')
  }
})

behaves('claim/finished', async (world) => {
  const done = await held(world)
  await world.inbox.done({ agent: 'worker', thread: done.thread, summary: 'Done' })
  const failed = await held(world)
  await world.inbox.fail({ agent: 'worker', thread: failed.thread, summary: 'Failed' })
  const cancelled = await task(world)
  await world.inbox.cancel({ agent: 'lead', thread: cancelled })
  await world.clock.advance(10_000)
  for (const thread of [done.thread, failed.thread, cancelled]) {
    await refused(world.inbox.claim({ agent: 'other', thread }), 'invalid_state')
  }
})

behaves('claim/unknown', async ({ inbox }) => {
  await refused(inbox.claim({ agent: 'worker', thread: 'thr_none' }), 'not_found')
})

behaves('claim/seconds', async (world) => {
  for (const [lease_seconds, expires_at] of [
    [undefined, '2026-03-01T08:15:00.000Z'],
    [1, '2026-03-01T08:00:01.000Z'],
    [604_800, '2026-03-08T08:00:00.000Z'],
  ] as const) {
    const thread = await task(world)
    const { lease } = await world.inbox.claim({ agent: 'worker', thread, lease_seconds })
    expect(lease?.expires_at).toBe(expires_at)
  }
  const thread = await task(world)
  for (const lease_seconds of [0, -5, 604_801]) {
    const asked = { agent: 'worker', thread, lease_seconds }
    await refused(world.inbox.claim(asked), 'invalid_input')
  }
  expect(await statusOf(world, thread)).toBe('pending')
})

behaves('lease/renew', async (world) => {
  const { thread, token } = await held(world, 'worker', 60)
  const at = await world.clock.advance(50)
  const renewed = await world.inbox.renew({ agent: 'worker', thread, lease_seconds: 300 })
  expect(renewed.thread).toMatchObject({ status: 'claimed', updated_at: at })
  expect(renewed.lease).toEqual({
    agent: 'worker',
    lease_token: token,
    generation: 1,
    expires_at: '2026-03-01T08:05:50.000Z',
  })
  expect((await world.inbox.show({ thread })).messages.at(-1)).toMatchObject({
    kind: 'event',
    summary: 'lease renewed',
    payload_json: { lease_seconds: 300 },
  })
  await world.inbox.update({ agent: 'worker', thread, status: 'blocked', summary: 'Which?' })
  const again = await world.inbox.renew({ agent: 'worker', thread, lease_token: token })
  expect(again.thread.status).toBe('blocked')
  expect(again.lease.expires_at).toBe('2026-03-01T08:15:50.000Z')
})

behaves('lease/renew-by-another', async (world) => {
  const { thread } = await held(world)
  const no = await refused(world.inbox.renew({ agent: 'other', thread }), 'lease_conflict')
  expect(no.details.held_by).toBe('worker')
})

behaves('lease/renew-unheld', async (world) => {
  const thread = await task(world)
  await refused(world.inbox.renew({ agent: 'worker', thread }), 'invalid_state')
  await refused(world.inbox.renew({ agent: 'worker', thread: 'thr_none' }), 'not_found')
})

behaves('lease/token-is-proof', async (world) => {
  const { thread, token } = await held(world)
  const says = { thread, status: 'in_progress' as const, summary: 'Working' }
  const wrong = { ...says, agent: 'worker', lease_token: 'lse_wrong' }
  await refused(world.inbox.update(wrong), 'lease_conflict')
  // The same worker, restarted under another name, still has its token.
  const right = { ...says, agent: 'successor', lease_token: token }
  expect((await world.inbox.update(right)).message.from_agent).toBe('successor')
})

behaves('lease/name-is-enough', async (world) => {
  const { thread } = await held(world)
  await world.inbox.renew({ agent: 'worker', thread })
  await world.inbox.update({ agent: 'worker', thread, status: 'in_progress', summary: 'Working' })
  await world.inbox.done({ agent: 'worker', thread, summary: 'Done' })
  expect(await statusOf(world, thread)).toBe('done')
})

behaves('lease/zombie', async (world) => {
  const { thread, token } = await held(world, 'worker', 60)
  await world.clock.advance(60)
  await take(world, thread, 'other')
  const before = await everything(world)
  for (const proof of [{}, { lease_token: token }]) {
    const mine = { agent: 'worker', thread, summary: 'Still here', ...proof }
    const { summary: _, ...bare } = mine
    for (const call of [
      () => world.inbox.renew(bare),
      () => world.inbox.update({ ...mine, status: 'in_progress' }),
      () => world.inbox.update({ ...mine, status: 'blocked' }),
      () => world.inbox.done(mine),
      () => world.inbox.fail(mine),
    ]) {
      const no = await refused(call(), 'lease_conflict')
      expect(no.details.held_by).toBe('other')
    }
  }
  expect(await everything(world)).toEqual(before)
})

behaves('lease/late', async (world) => {
  const { thread, token } = await held(world, 'worker', 60)
  await world.clock.advance(60)
  for (const proof of [{}, { lease_token: token }]) {
    const mine = { agent: 'worker', thread, summary: 'Late', ...proof }
    const { summary: _, ...bare } = mine
    for (const call of [
      () => world.inbox.renew(bare),
      () => world.inbox.done(mine),
      () => world.inbox.fail(mine),
    ]) {
      const no = await refused(call(), 'lease_conflict')
      expect(no.details.held_by).toBeNull()
    }
  }
  expect(await statusOf(world, thread)).toBe('claimed')
})

behaves('lease/old-token', async (world) => {
  const { thread, token: first } = await held(world, 'worker', 60)
  await world.clock.advance(60)
  const second = await take(world, thread, 'worker')
  const mine = { agent: 'worker', thread, summary: 'Done' }
  await refused(world.inbox.done({ ...mine, lease_token: first }), 'lease_conflict')
  expect((await world.inbox.done({ ...mine, lease_token: second })).thread.status).toBe('done')
})

behaves('lease/never-held', async (world) => {
  const { thread } = await held(world, 'worker', 60)
  await world.clock.advance(60)
  const expectBoth = async () => {
    await refused(world.inbox.done({ agent: 'worker', thread, summary: 'x' }), 'lease_conflict')
    await refused(world.inbox.done({ agent: 'other', thread, summary: 'x' }), 'invalid_state')
  }
  await expectBoth()
  await world.inbox.sweep({})
  await expectBoth()
})

behaves('lease/generation', async (world) => {
  const thread = await task(world)
  const generation = async () =>
    (await world.sql('select generation from leases'))[0]?.generation as number
  await take(world, thread, 'one', 60)
  await world.inbox.renew({ agent: 'one', thread, lease_seconds: 60 })
  await world.inbox.update({ agent: 'one', thread, status: 'in_progress', summary: 'Working' })
  expect(await generation()).toBe(1)
  await world.clock.advance(60)
  expect(await generation()).toBe(1)
  await take(world, thread, 'two', 60)
  expect(await generation()).toBe(2)
  await world.clock.advance(60)
  await world.inbox.sweep({})
  expect(await generation()).toBe(3)
  await take(world, thread, 'two', 60)
  await world.inbox.done({ agent: 'two', thread, summary: 'Done' })
  expect(await generation()).toBe(4)
})
