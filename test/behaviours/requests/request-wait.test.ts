import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { asked } from '../../worlds/requests.ts'

behaves('request/wait', async (world) => {
  const request = await asked(world)
  const waiting = world.inbox.requestWait({ agent: 'ann', request, timeout_seconds: 0 })
  await world.inbox.requestRevision({ request, revision: 1, notes: 'Less, please' })
  const first = await waiting
  expect(first).toMatchObject({ woke: true, notes: 'Less, please' })
  expect(first.request.status).toBe('revision_requested')
  // Until it is submitted again there is nothing to wait for.
  expect((await world.inbox.requestWait({ agent: 'ann', request })).woke).toBe(true)
  await world.inbox.resubmit({ agent: 'ann', request, revision: 1, title: 'Less' })
  await world.inbox.approve({ request, revision: 2 })
  const late = await world.inbox.requestWait({ agent: 'ann', request })
  expect(late).toMatchObject({ woke: true, notes: '' })
  expect(late.request).toMatchObject({ status: 'approved', decided_by: 'user', title: 'Less' })
  expect(world.exitOf(late)).toBe(0)
})

behaves('request/wait-timeout', async (world) => {
  const request = await asked(world)
  const answer = await world.inbox.requestWait({ agent: 'ann', request, timeout_seconds: 1 })
  expect(answer).toMatchObject({ woke: false, notes: null })
  expect(answer.request.status).toBe('pending')
  expect(world.exitOf(answer)).toBe(10)
})
