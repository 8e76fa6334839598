// Decisions that take effect only after their grace period.

import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { once } from '../../worlds/once.ts'
import { ailments } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import { asked, LIMIT, titles, unreadOf } from '../../worlds/requests.ts'
import { everything } from '../../worlds/scenes.ts'

const GRACE = { revision: 1, grace_seconds: 10 }

behaves('request/grace', async (world) => {
  await world.inbox.personAdd({ name: 'eve' })
  const payload = JSON.stringify({ ...LIMIT, proposed: { limit: 1.0 } })
  const request = await asked(world, { editable: true })
  const held = await world.inbox.approve({ ...GRACE, request, notes: 'Go on', payload })
  const held_until = new Date(Date.parse(world.clock.now()) + 10_000).toISOString()
  expect(held).toMatchObject({ status: 'pending', decided_by: 'user', held_until })
  const during = await world.inbox.requestGet({ request })
  expect(during.request).toMatchObject({
    status: 'pending',
    decided_by: null,
    held_move: 'approve',
    held_by: 'user',
    held_until,
  })
  expect(during).toMatchObject({ actions: ['undo_decision'], decision: null })
  expect(await unreadOf(world, 'ann')).toEqual([])
  expect(await unreadOf(world, 'user:eve')).toEqual(['Raise the limit'])
  await world.clock.advance(10)
  const { request: row, activity, decision } = await world.inbox.requestGet({ request })
  expect(row).toMatchObject({ status: 'approved', decided_by: 'user', held_until: null })
  expect(row.payload_sha256).toBe(held.payload_sha256)
  expect(decision).toMatchObject({ notes: 'Go on', payload: JSON.parse(payload) })
  expect(await unreadOf(world, 'ann')).toEqual(['approved: Go on'])
  expect(await unreadOf(world, 'user:eve')).toEqual([])
  expect(activity.map(({ actor, action, to }) => [actor, action, to])).toEqual([
    ['ann', 'create', 'pending'],
    ['user', 'hold', null],
    ['user', 'approve', 'approved'],
  ])
  const long = world.inbox.reject({ request, revision: 1, grace_seconds: 61 })
  await refused(long, 'invalid_input')
  expect(await ailments(world)).toEqual([])
})

behaves('request/held', async (world) => {
  await world.inbox.personAdd({ name: 'eve' })
  const request = await asked(world)
  await world.inbox.requestRevision({ ...GRACE, agent: 'user:eve', request, notes: 'Less' })
  const { held_until } = (await world.inbox.requestGet({ request })).request
  const before = await everything(world)
  for (const late of [
    () => world.inbox.approve({ request, revision: 1 }),
    () => world.inbox.reject({ ...GRACE, request }),
    () => world.inbox.approve({ agent: 'user:eve', request, revision: 1 }),
    () => world.inbox.cancelRequest({ agent: 'ann', request }),
  ]) {
    const { details, message } = await refused(late(), 'invalid_state')
    expect(details).toMatchObject({ held_by: 'user:eve', held_until })
    expect(message).toContain(`user:eve, who can undo it until ${held_until}`)
  }
  await refused(world.inbox.undoDecision({ request }), 'forbidden')
  await refused(world.inbox.undoDecision({ agent: 'ann', request }), 'forbidden')
  expect((await world.inbox.requestGet({ request })).actions).toEqual([])
  expect(await everything(world)).toEqual(before)
  await world.inbox.comment({ request, body: 'I would not' })
  await world.clock.advance(10)
  // The request is revision_requested by now, so it can be resubmitted.
  await world.inbox.resubmit({ agent: 'ann', request, revision: 1, title: 'Less' })
  expect(await titles(world)).toEqual(['Less'])
  expect(await ailments(world)).toEqual([])
})

behaves('request/undo', async (world) => {
  await world.inbox.personAdd({ name: 'eve' })
  const request = await asked(world)
  await refused(world.inbox.undoDecision({ request }), 'invalid_state')
  await world.inbox.approve({ ...GRACE, request, notes: 'Go on' })
  await world.clock.advance(9)
  const undone = await world.inbox.undoDecision({ request })
  expect(undone).toMatchObject({ status: 'pending', revision: 1 })
  await world.clock.advance(60)
  const { request: row, actions } = await world.inbox.requestGet({ request })
  expect(row).toMatchObject({ status: 'pending', held_move: null, held_by: null, held_until: null })
  expect(actions).toEqual(['approve', 'reject', 'request_revision', 'cancel'])
  expect(await unreadOf(world, 'ann')).toEqual([])
  await world.inbox.reject({ agent: 'user:eve', request, revision: 1, notes: 'No' })
  expect(await unreadOf(world, 'ann')).toEqual(['rejected: No'])
  const { details } = await refused(world.inbox.undoDecision({ request }), 'invalid_state')
  expect(details).toMatchObject({ status: 'rejected', decided_by: 'user:eve' })
  const { activity } = await world.inbox.requestGet({ request })
  expect(activity.map(({ action, from, to, move }) => [action, from, to, move])).toEqual([
    ['create', null, 'pending', undefined],
    ['hold', null, null, 'approve'],
    ['undo', null, null, undefined],
    ['reject', 'pending', 'rejected', undefined],
  ])
  expect(await ailments(world)).toEqual([])
})

behaves('request/hold-key', async (world) => {
  const request = await asked(world)
  const grace = { request, revision: 1, grace_seconds: 60 }
  await once(world, () => world.inbox.approve({ ...grace, idempotency_key: 'a' }))
  await once(world, () => world.inbox.undoDecision({ request, idempotency_key: 'u' }))
  const { activity } = await world.inbox.requestGet({ request })
  expect(activity.map(({ action }) => action)).toEqual(['create', 'hold', 'undo'])
})

behaves('request/hold-settles', async (world) => {
  const swept = await asked(world)
  await world.inbox.approve({ ...GRACE, request: swept })
  expect((await world.inbox.sweep({})).requests).toBe(0)
  await world.clock.advance(10)
  expect((await world.inbox.sweep({})).requests).toBe(1)
  expect((await world.inbox.sweep({})).requests).toBe(0)
  expect(await unreadOf(world, 'ann')).toEqual(['approved'])
  const listed = await asked(world)
  await world.inbox.reject({ ...GRACE, request: listed })
  await world.clock.advance(10)
  expect((await world.inbox.requestList({})).pending).toBe(0)
  const written = await asked(world)
  await world.inbox.reject({ ...GRACE, request: written })
  await world.clock.advance(10)
  for (const late of [
    () => world.inbox.approve({ request: written, revision: 1 }),
    () => world.inbox.undoDecision({ request: written }),
    () => world.inbox.cancelRequest({ agent: 'ann', request: written }),
  ]) {
    const { details } = await refused(late(), 'invalid_state')
    expect(details).toMatchObject({ status: 'rejected', decided_by: 'user' })
  }
  expect(await unreadOf(world, 'ann')).toEqual(['approved', 'rejected', 'rejected'])
  expect(await ailments(world)).toEqual([])
})

behaves('request/hold-wait', async (world) => {
  const request = await asked(world)
  const waiting = world.inbox.requestWait({ agent: 'ann', request, timeout_seconds: 30 })
  await world.inbox.approve({ request, revision: 1, grace_seconds: 1, notes: 'Go on' })
  const short = await world.inbox.requestWait({ agent: 'ann', request, timeout_seconds: 1 })
  expect(short).toMatchObject({ woke: false, decision: null, request: { held_by: 'user' } })
  await world.clock.advance(1)
  expect(await waiting).toMatchObject({ woke: true, decision: { by: 'user', notes: 'Go on' } })
})

behaves('request/hold-imported', async (world) => {
  const request = await asked(world)
  await world.inbox.approve({ ...GRACE, request })
  const taken = await asked(world, { title: 'Another' })
  await world.inbox.reject({ ...GRACE, request: taken })
  await world.inbox.undoDecision({ request: taken })
  const log = await world.exportLog()
  const other = await world.another('empty')
  expect(await other.importLog(log)).toMatchObject({ rejected: [] })
  expect(await other.exportLog()).toBe(log)
  expect(await ailments(other)).toEqual([])
  await other.clock.advance(60)
  const { request: row, activity } = await other.inbox.requestGet({ request })
  expect(row).toMatchObject({ status: 'pending', decided_by: null, held_by: null })
  expect(activity.at(-1)).toMatchObject({ actor: 'system', action: 'undo' })
  expect(await unreadOf(other, 'ann')).toEqual([])
  await other.inbox.approve({ request, revision: 1 })
  expect(await ailments(other)).toEqual([])
})
