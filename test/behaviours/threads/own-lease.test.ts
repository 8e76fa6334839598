import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { held, take, task } from '../../worlds/scenes.ts'

behaves('lease/own', async (world) => {
  const { thread } = await held(world)
  await task(world)
  const agent = 'worker'
  const update = { agent, status: 'in_progress', summary: 'Half' } as const
  expect((await world.inbox.update(update)).thread.thread_id).toBe(thread)
  expect((await world.inbox.renew({ agent })).thread.thread_id).toBe(thread)
  expect((await world.inbox.done({ agent, summary: 'All' })).thread.thread_id).toBe(thread)
})

behaves('lease/own-unclear', async (world) => {
  const none = await refused(world.inbox.done({ agent: 'worker', summary: 'All' }), 'invalid_input')
  expect(none.message).toContain('worker holds no thread')
  const { thread } = await held(world)
  const other = await task(world, { subject: 'Write the lexer' })
  await take(world, other, 'worker')
  const several = await refused(
    world.inbox.fail({ agent: 'worker', summary: 'No' }),
    'invalid_input',
  )
  expect(several.message).toContain(thread)
  expect(several.message).toContain(`${other} "Write the lexer"`)
  await refused(world.inbox.waitReply({ agent: 'worker', timeout_seconds: 1 }), 'invalid_input')
})

behaves('lease/own-retry', async (world) => {
  await held(world)
  const call = { agent: 'worker', summary: 'All', idempotency_key: 'once' }
  const first = await world.inbox.done(call)
  expect(await world.inbox.done(call)).toEqual(first)
})
