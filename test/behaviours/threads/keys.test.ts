import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { once } from '../../worlds/once.ts'
import { refused } from '../../worlds/refused.ts'
import { blocked, everything, held, task } from '../../worlds/scenes.ts'

const idempotency_key = 'try-1'

behaves('key/send', async (world) => {
  const said = { from: 'lead', to: 'worker', subject: 'Hello', idempotency_key }
  await once(world, () => world.inbox.send(said))
  expect((await world.inbox.list({})).threads).toHaveLength(1)
})

behaves('key/append', async (world) => {
  const thread = await task(world)
  const said = { from: 'lead', thread, summary: 'More', idempotency_key }
  await once(world, () => world.inbox.send(said))
})

behaves('key/claim', async (world) => {
  const thread = await task(world)
  await task(world)
  const byId = { agent: 'worker', thread, idempotency_key }
  await once(world, () => world.inbox.claim(byId))
  const next = { agent: 'worker', idempotency_key: 'try-2' }
  const { lease } = await once(world, () => world.inbox.claim(next))
  expect(lease).not.toBeNull()
})

behaves('key/renew', async (world) => {
  const { thread } = await held(world)
  const mine = { agent: 'worker', thread, idempotency_key }
  await once(world, () => world.inbox.renew(mine))
})

behaves('key/update', async (world) => {
  const { thread } = await held(world)
  const mine = { agent: 'worker', thread, summary: 'Which?', idempotency_key }
  await once(world, () => world.inbox.update({ ...mine, status: 'blocked' }))
})

behaves('key/reply', async (world) => {
  const { thread } = await blocked(world)
  const said = { from: 'lead', thread, summary: 'PEG', idempotency_key }
  await once(world, () => world.inbox.reply(said))
})

behaves('key/done', async (world) => {
  const { thread } = await held(world)
  const mine = { agent: 'worker', thread, summary: 'Built', idempotency_key }
  await once(world, () => world.inbox.done(mine))
})

behaves('key/fail', async (world) => {
  const { thread } = await held(world)
  const mine = { agent: 'worker', thread, summary: 'No', idempotency_key }
  await once(world, () => world.inbox.fail(mine))
})

behaves('key/cancel', async (world) => {
  const thread = await task(world)
  const mine = { agent: 'lead', thread, idempotency_key }
  await once(world, () => world.inbox.cancel(mine))
})

behaves('key/sweep', async (world) => {
  const { thread } = await held(world, 'worker', 60)
  await held(world, 'worker', 62)
  await world.inbox.mailSend({ from: 'lead', to: 'worker', body: 'Lunch?', expires_seconds: 62 })
  await world.clock.advance(60)
  // The second lease lapses and the mail expires before the retry, which must not sweep again.
  const { threads } = await once(world, () => world.inbox.sweep({ idempotency_key }))
  expect(threads.map((one) => one.thread_id)).toEqual([thread])
})

behaves('key/prune', async (world) => {
  for (let i = 0; i < 2; i++) {
    const thread = await task(world)
    await world.inbox.cancel({ agent: 'lead', thread })
    await world.clock.advance(1)
  }
  const asked = { older_than_days: 0, include_unread: true, limit: 1, idempotency_key }
  const { removed } = await once(world, () => world.inbox.prune(asked))
  expect(removed.threads).toBe(1)
})

behaves('key/mail', async (world) => {
  await world.as('bob').agentRegister({})
  const said = { from: 'ann', to: 'bob', body: 'Lunch?', idempotency_key }
  const { message } = await once(world, () => world.inbox.mailSend(said))
  const mark = { messages: [message?.id as string], idempotency_key }
  expect((await once(world, () => world.as('bob').mailMarkRead(mark))).unread).toBe(0)
})

behaves('key/agents', async (world) => {
  const { inbox } = world
  await once(world, () => world.as('ann').agentRegister({ role: 'builder', idempotency_key }))
  const builder = { agent: 'bob', role: 'builder', parent: 'ann', idempotency_key: 'try-2' }
  await once(world, () => inbox.agentRegister(builder))
  const { agent } = await once(world, () =>
    inbox.agentStatus({ agent: 'bob', status: 'off', idempotency_key: 'try-3' }),
  )
  expect(agent.status).toBe('off')
  await once(world, () => inbox.personAdd({ name: 'eve', idempotency_key: 'try-4' }))
})

behaves('key/other-request', async (world) => {
  const said = { from: 'lead', to: 'worker', subject: 'Hello', idempotency_key }
  const { thread } = await world.inbox.send(said)
  const before = await everything(world)
  const no = await refused(world.inbox.send({ ...said, subject: 'Goodbye' }), 'invalid_state')
  expect(no.message).toContain('try-1')
  await refused(
    world.inbox.cancel({ agent: 'lead', thread: thread.thread_id, idempotency_key }),
    'invalid_state',
  )
  expect(await everything(world)).toEqual(before)
})

behaves('key/per-agent', async (world) => {
  const said = { to: 'worker', subject: 'Hello', idempotency_key }
  const one = await world.inbox.send({ ...said, from: 'ann' })
  const two = await world.inbox.send({ ...said, from: 'bob' })
  expect(two.thread.thread_id).not.toBe(one.thread.thread_id)
})

behaves('key/not-for-refusals', async (world) => {
  const { thread } = await held(world, 'other', 60)
  const mine = { agent: 'worker', thread, idempotency_key }
  await refused(world.inbox.claim(mine), 'lease_conflict')
  await world.clock.advance(60)
  expect((await world.inbox.claim(mine)).lease?.agent).toBe('worker')
})

behaves('key/not-for-nothing', async (world) => {
  const mine = { agent: 'worker', idempotency_key }
  expect((await world.inbox.claim(mine)).thread).toBeNull()
  const thread = await task(world)
  expect((await world.inbox.claim(mine)).thread?.thread_id).toBe(thread)
})
