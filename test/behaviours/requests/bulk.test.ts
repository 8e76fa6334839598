// Several requests decided at once.

import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { once } from '../../worlds/once.ts'
import { ailments } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import { asked, titles, unreadOf } from '../../worlds/requests.ts'
import { everything } from '../../worlds/scenes.ts'

behaves('request/bulk', async (world) => {
  await world.inbox.personAdd({ name: 'eve' })
  const one = await asked(world)
  const two = await asked(world, { agent: 'bob' })
  const gone = await asked(world)
  const named = await asked(world, { policy: 'named', deciders: ['user:eve'] })
  const question = await asked(world, { type: 'question', payload: '{"text":"Which?"}' })
  await world.inbox.reject({ request: gone, revision: 1 })
  const requests = [`${one}:1`, `${gone}:1`, `${two}:2`, `${named}:1`, 'req_none:1']
  const answer = await world.inbox.requestDecide({
    decision: 'approve',
    requests: [...requests, `${question}:1`],
    notes: 'Go on',
  })
  expect(answer).toMatchObject({ decided: 1, refused: 5 })
  expect(answer.results.map(({ request_id, status, code }) => [request_id, status, code])).toEqual([
    [one, 'approved', null],
    [gone, null, 'invalid_state'],
    [two, null, 'revision_conflict'],
    [named, null, 'forbidden'],
    ['req_none', null, 'not_found'],
    [question, null, 'invalid_input'],
  ])
  expect(world.exitOf(answer)).toBe(30)
  expect(await unreadOf(world, 'ann')).toEqual(['rejected', 'approved: Go on'])
  expect(await unreadOf(world, 'bob')).toEqual([])
  const rest = await world.inbox.requestDecide({ decision: 'reject', requests: [`${two}:1`] })
  expect(rest).toMatchObject({ decided: 1, refused: 0, results: [{ status: 'rejected' }] })
  expect(world.exitOf(rest)).toBe(0)
  expect(await titles(world)).toHaveLength(2)
  expect(await ailments(world)).toEqual([])
})

behaves('request/bulk-refused', async (world) => {
  const request = await asked(world)
  const before = await everything(world)
  const requests = [`${request}:1`]
  const byAgent = { agent: 'ann', decision: 'approve', requests } as const
  await refused(world.inbox.requestDecide(byAgent), 'forbidden')
  for (const requests of [[request], [`${request}:0`], [`${request}:1`, `${request}:2`], [':1']]) {
    const decided = world.inbox.requestDecide({ decision: 'approve', requests })
    await refused(decided, 'invalid_input')
  }
  const silent = { decision: 'request_revision', requests } as const
  await refused(world.inbox.requestDecide(silent), 'invalid_input')
  const many = Array.from({ length: 101 }, (_, n) => `req_${n}:1`)
  const flood = world.inbox.requestDecide({ decision: 'reject', requests: many })
  await refused(flood, 'invalid_input')
  expect(await everything(world)).toEqual(before)
})

behaves('request/bulk-key', async (world) => {
  const [one, two] = [await asked(world), await asked(world)]
  const requests = [`${one}:1`, `${two}:2`]
  const want = { decision: 'approve', requests, idempotency_key: 'k' } as const
  const first = await once(world, () => world.inbox.requestDecide(want))
  expect(first).toMatchObject({ decided: 1, refused: 1 })
  await world.inbox.requestRevision({ request: two, revision: 1, notes: 'Less' })
  await world.inbox.resubmit({ agent: 'ann', request: two, revision: 1, title: 'Less' })
  const again = await world.inbox.requestDecide(want)
  expect(again).toMatchObject({ decided: 2, refused: 0 })
  const { activity } = await world.inbox.requestGet({ request: one })
  expect(activity.map(({ action }) => action)).toEqual(['create', 'approve'])
})

behaves('request/bulk-grace', async (world) => {
  const [one, two, stale] = [await asked(world), await asked(world), await asked(world)]
  const requests = [`${one}:1`, `${two}:1`, `${stale}:2`]
  const want = { decision: 'approve', requests, grace_seconds: 10, idempotency_key: 'g' } as const
  const held_until = new Date(Date.parse(world.clock.now()) + 10_000).toISOString()
  const answer = await world.inbox.requestDecide(want)
  expect(answer).toMatchObject({ decided: 2, refused: 1 })
  expect(answer.results).toMatchObject([
    { request_id: one, status: 'pending', held_until },
    { request_id: two, status: 'pending', held_until },
    { request_id: stale, status: null, held_until: null },
  ])
  expect(await world.inbox.requestDecide(want)).toMatchObject(answer)
  expect(await unreadOf(world, 'ann')).toEqual([])
  await world.inbox.undoDecision({ request: two })
  await world.clock.advance(10)
  expect(await titles(world)).toHaveLength(2)
  expect((await world.inbox.requestGet({ request: one })).request.status).toBe('approved')
  expect((await world.inbox.requestGet({ request: two })).request.status).toBe('pending')
  expect(await unreadOf(world, 'ann')).toEqual(['approved'])
  expect(await ailments(world)).toEqual([])
})
