import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { once } from '../../worlds/once.ts'
import { refused } from '../../worlds/refused.ts'
import { titles, unreadOf } from '../../worlds/requests.ts'
import { until, type World } from '../../worlds/world.ts'

const COLOURS = ['red', 'blue']

/** Waits for the one pending question and returns its id. */
async function theQuestion(world: World): Promise<string> {
  let found: string | undefined
  await until(async () => {
    found = (await world.inbox.requestList({ type: 'question' })).requests[0]?.request_id
    return found !== undefined
  }, 'the question is asked')
  return found as string
}

behaves('request/ask', async (world) => {
  const want = { agent: 'ann', text: 'Which colour?\nThe brief names none.', options: COLOURS }
  const key = { ...want, idempotency_key: 'try-1' }
  const asking = world.inbox.requestAsk({ ...key, timeout_seconds: 0 })
  const request = await theQuestion(world)
  await world.inbox.approve({ request, revision: 1, answer: 'blue' })
  const answered = await asking
  expect(answered).toMatchObject({ woke: true, decision: { status: 'approved', answer: 'blue' } })
  expect(answered.request).toMatchObject({ type: 'question', title: 'Which colour?' })
  expect(answered.decision?.payload).toEqual({ text: want.text, options: COLOURS })
  await until(async () => (await unreadOf(world, 'ann')).length === 0, 'the answer is read')
  // An agent that lost the answer asks again and gets it, without another question.
  await once(world, () => world.inbox.requestAsk({ ...key, timeout_seconds: 0 }))
  expect((await world.inbox.requestList({ tab: 'all' })).requests).toHaveLength(1)
})

behaves('request/ask-timeout', async (world) => {
  const schema = { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] }
  const want = { agent: 'ann', text: 'How large?', schema: JSON.stringify(schema) }
  const early = await world.inbox.requestAsk({ ...want, timeout_seconds: 1 })
  expect(early).toMatchObject({ woke: false, decision: null, request: { status: 'pending' } })
  expect(world.exitOf(early)).toBe(10)
  const { request_id: request } = early.request
  await world.inbox.approve({ request, revision: 1, values: '{"size":7}' })
  const late = await world.inbox.requestWait({ agent: 'ann', request })
  expect(late.decision).toMatchObject({ status: 'approved', values: { size: 7 } })
})

behaves('request/ask-bad', async (world) => {
  const ask = (more: object) => {
    return world.inbox.requestAsk({ agent: 'ann', text: 'Which?', timeout_seconds: 1, ...more })
  }
  await refused(ask({ options: ['only one'] }), 'invalid_input')
  const schema = '{"type":"object","properties":{"a":{"type":"string"}}}'
  await refused(ask({ options: COLOURS, schema }), 'invalid_input')
  await refused(ask({ schema: '{"type":"array"}' }), 'invalid_input')
  await refused(ask({ to: 'bob' }), 'invalid_input')
  await refused(ask({ text: ' ' }), 'invalid_input')
  expect(await titles(world)).toEqual([])
})
