import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { asked, LIMIT, unreadOf } from '../../worlds/requests.ts'
import { until } from '../../worlds/world.ts'

behaves('request/wait', async (world) => {
  const request = await asked(world)
  const waiting = world.inbox.requestWait({ agent: 'ann', request, timeout_seconds: 0 })
  await world.inbox.requestRevision({ request, revision: 1, notes: 'Less, please' })
  const first = await waiting
  expect(first).toMatchObject({ woke: true, decision: { notes: 'Less, please', by: 'user' } })
  expect(first.request.status).toBe('revision_requested')
  // Until the request is resubmitted, there's nothing to wait for.
  expect((await world.inbox.requestWait({ agent: 'ann', request })).woke).toBe(true)
  await world.inbox.resubmit({ agent: 'ann', request, revision: 1, title: 'Less' })
  await world.inbox.approve({ request, revision: 2 })
  const late = await world.inbox.requestWait({ agent: 'ann', request })
  expect(late).toMatchObject({ woke: true, decision: { status: 'approved', payload: LIMIT } })
  expect(late.request).toMatchObject({ status: 'approved', decided_by: 'user', title: 'Less' })
  expect(world.exitOf(late)).toBe(0)
  // The agent already has the decision, so the mail about it doesn't start the agent again.
  await until(async () => (await unreadOf(world, 'ann')).length === 0, 'the decisions are read')
})

behaves('request/wait-timeout', async (world) => {
  const request = await asked(world)
  const answer = await world.inbox.requestWait({ agent: 'ann', request, timeout_seconds: 1 })
  expect(answer).toMatchObject({ woke: false, decision: null })
  expect(answer.request.status).toBe('pending')
  expect(world.exitOf(answer)).toBe(10)
})
