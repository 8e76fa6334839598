// Requests that aren't decided in time.

import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { ailments } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import { asked, LIMIT, titles, unreadOf } from '../../worlds/requests.ts'
import type { World } from '../../worlds/world.ts'

const MINUTE = { expires_seconds: 60 }
const DAY = 86_400

async function rowOf(world: World, request: string) {
  return (await world.inbox.requestGet({ request })).request
}

behaves('request/expiry-keep', async (world) => {
  const request = await asked(world, MINUTE)
  const expires_at = new Date(Date.parse(world.clock.now()) + 60_000).toISOString()
  const early = await world.inbox.requestGet({ request })
  expect(early.now).toBe(world.clock.now())
  expect(early.request).toMatchObject({ expires_at, on_expiry: 'keep', overdue: false })
  const now = await world.clock.advance(60)
  const late = await world.inbox.requestList({})
  expect(late).toMatchObject({ now, requests: [{ status: 'pending', expires_at, overdue: true }] })
  expect((await world.inbox.sweep({})).requests).toBe(0)
  await world.inbox.requestRevision({ request, revision: 1, notes: 'Less' })
  const again = { agent: 'ann', request, revision: 1, title: 'Less' }
  expect(await world.inbox.resubmit(again)).toMatchObject({ now, expires_at })
  await world.inbox.approve({ request, revision: 2 })
  expect(await rowOf(world, request)).toMatchObject({ status: 'approved', overdue: false })
  expect(await ailments(world)).toEqual([])
})

behaves('request/expiry-reject', async (world) => {
  await world.inbox.personAdd({ name: 'eve' })
  const request = await asked(world, { ...MINUTE, on_expiry: 'reject' })
  const expires_at = await world.clock.advance(60)
  const { details } = await refused(world.inbox.approve({ request, revision: 1 }), 'invalid_state')
  expect(details).toMatchObject({ status: 'expired', decided_by: 'system', decided_at: expires_at })
  expect(await unreadOf(world, 'ann')).toEqual(['expired: no one decided in time'])
  for (const person of ['user', 'user:eve']) expect(await unreadOf(world, person)).toEqual([])
  expect(await titles(world)).toEqual([])
  const { activity, decision, actions } = await world.inbox.requestGet({ request })
  expect(activity.at(-1)).toMatchObject({ actor: 'system', action: 'expire', to: 'expired' })
  expect(decision).toMatchObject({ status: 'expired', by: 'system' })
  expect(actions).toEqual([])
  // A sweep does the same. A decision that is already held at that point counts as made in time.
  const swept = await asked(world, { ...MINUTE, on_expiry: 'reject' })
  const held = await asked(world, { ...MINUTE, on_expiry: 'reject' })
  await world.clock.advance(55)
  await world.inbox.approve({ request: held, revision: 1, grace_seconds: 10 })
  await world.clock.advance(5)
  expect((await world.inbox.sweep({})).requests).toBe(1)
  expect((await rowOf(world, swept)).status).toBe('expired')
  expect(await rowOf(world, held)).toMatchObject({ status: 'pending', held_by: 'user' })
  await world.clock.advance(5)
  expect((await rowOf(world, held)).status).toBe('approved')
  expect(await ailments(world)).toEqual([])
})

behaves('request/expiry-approve', async (world) => {
  const itself = { ...MINUTE, on_expiry: 'approve' } as const
  await refused(asked(world, itself), 'forbidden')
  const other = { ...itself, agent: 'user', policy: 'not_requester' } as const
  await refused(asked(world, other), 'forbidden')
  expect(await titles(world)).toEqual([])
  const request = await asked(world, { ...itself, agent: 'user' })
  const sha256 = (await rowOf(world, request)).payload_sha256
  await world.clock.advance(60)
  expect(await rowOf(world, request)).toMatchObject({
    status: 'approved',
    decided_by: 'system',
    payload_sha256: sha256,
    overdue: false,
  })
  const told = (await unreadOf(world, 'user')).filter((one) => one.startsWith('approved'))
  expect(told).toEqual([expect.stringContaining('no one decided in time')])
  expect(await ailments(world)).toEqual([])
})

behaves('request/expiry-revised', async (world) => {
  const itself = { ...MINUTE, on_expiry: 'approve', agent: 'user' } as const
  await world.inbox.personAdd({ name: 'eve' })
  const request = await asked(world, itself)
  const taken = await asked(world, { ...itself, title: 'Another' })
  await world.inbox.requestRevision({ agent: 'user:eve', request, revision: 1, notes: 'Less' })
  // Eve isn't allowed to decide this one, so she can't edit it. An edited revision is never approved on expiry.
  const named = { policy: 'named', title: 'Mine' } as const
  const rewritten = await asked(world, { ...itself, ...named, deciders: ['user'] })
  await world.inbox.requestRevision({ request: rewritten, revision: 1, notes: 'Less' })
  const payload = JSON.stringify({ ...LIMIT, proposed: { limit: 9 } })
  const eves = { agent: 'user:eve', request: rewritten, revision: 1, payload }
  await refused(world.inbox.resubmit(eves), 'forbidden')
  await world.inbox.resubmit({ ...eves, agent: 'user' })
  const log = await world.exportLog()
  const there = await world.another('empty')
  expect(await there.importLog(log)).toMatchObject({ rejected: [] })
  for (const one of [world, there]) await one.clock.advance(60)
  expect((await rowOf(world, request)).status).toBe('expired')
  expect((await rowOf(world, rewritten)).status).toBe('expired')
  expect((await rowOf(world, taken)).status).toBe('approved')
  expect((await rowOf(there, taken)).status).toBe('expired')
  // An import rejects an agent's request that would be approved on expiry.
  const forged = log.replaceAll('"agent":"user"', '"agent":"ann"')
  const { rejected } = await (await world.another('empty')).importLog(forged)
  expect(JSON.stringify(rejected)).toContain('ann, who asks, is no person')
  expect(await ailments(there)).toEqual([])
})

behaves('request/escalate', async (world) => {
  for (const name of ['eve', 'bob']) await world.inbox.personAdd({ name })
  const up = { ...MINUTE, on_expiry: 'escalate' } as const
  const named = { policy: 'named', escalate_to: 'user:bob', to: 'user:eve' } as const
  const request = await asked(world, { ...up, ...named, deciders: ['user:eve'] })
  await refused(world.inbox.approve({ agent: 'user:bob', request, revision: 1 }), 'forbidden')
  const escalated_at = await world.clock.advance(60)
  expect(await rowOf(world, request)).toMatchObject({
    status: 'pending',
    recipient: 'user:bob',
    escalated_at,
    overdue: true,
    deciders: ['user:eve', 'user:bob'],
  })
  expect(await unreadOf(world, 'user:bob')).toEqual(['escalated: Raise the limit'])
  expect(await unreadOf(world, 'user:eve')).toEqual(['Raise the limit'])
  await world.clock.advance(600)
  expect((await world.inbox.sweep({})).requests).toBe(0)
  await world.inbox.approve({ agent: 'user:bob', request, revision: 1 })
  expect(await unreadOf(world, 'user:eve')).toEqual([])
  const all = await asked(world, { ...up, to: 'user:eve', title: 'For all' })
  await world.clock.advance(60)
  expect((await world.inbox.sweep({})).requests).toBe(1)
  expect((await rowOf(world, all)).recipient).toBe('')
  for (const person of ['user', 'user:bob']) {
    expect(await unreadOf(world, person)).toEqual(['escalated: For all'])
  }
  expect(await ailments(world)).toEqual([])
})

behaves('request/remind', async (world) => {
  await world.inbox.personAdd({ name: 'eve' })
  const remind_seconds = 30
  const request = await asked(world, { ...MINUTE, remind_seconds, to: 'user:eve' })
  const quick = await asked(world, { remind_seconds, title: 'Quick' })
  await world.inbox.reject({ request: quick, revision: 1 })
  await world.inbox.mailRead({ agent: 'user:eve' })
  const at = await world.clock.advance(29)
  expect((await world.inbox.sweep({})).requests).toBe(0)
  expect((await rowOf(world, request)).remind_at).toBe(
    new Date(Date.parse(at) + 1000).toISOString(),
  )
  await world.clock.advance(1)
  expect((await world.inbox.sweep({})).requests).toBe(1)
  expect((await world.inbox.sweep({})).requests).toBe(0)
  expect(await unreadOf(world, 'user:eve')).toContain('reminder: Raise the limit')
  expect(await unreadOf(world, 'user')).toEqual([])
  await world.inbox.approve({ request, revision: 1 })
  expect(await unreadOf(world, 'user:eve')).toEqual([])
  expect(await ailments(world)).toEqual([])
})

behaves('request/expiry-bad', async (world) => {
  await refused(asked(world, { on_expiry: 'reject' }), 'invalid_input')
  await refused(asked(world, { ...MINUTE, escalate_to: 'user' }), 'invalid_input')
  const up = { ...MINUTE, on_expiry: 'escalate' } as const
  await refused(asked(world, { ...up, escalate_to: 'bob' }), 'invalid_input')
  await refused(asked(world, { ...up, escalate_to: 'user:eve' }), 'not_found')
  await refused(asked(world, { ...up, policy: 'named', deciders: ['user'] }), 'invalid_input')
  await refused(asked(world, { ...MINUTE, remind_seconds: 60 }), 'invalid_input')
  await refused(asked(world, { expires_seconds: 0 }), 'invalid_input')
  await refused(asked(world, { expires_seconds: 31_536_001 }), 'invalid_input')
  expect(await titles(world)).toEqual([])
})

behaves('request/expiry-wait', async (world) => {
  const request = await asked(world, { expires_seconds: 1, on_expiry: 'reject' })
  const waiting = world.inbox.requestWait({ agent: 'ann', request, timeout_seconds: 30 })
  await world.clock.advance(1)
  const { woke, request: row } = await waiting
  expect({ woke, status: row.status }).toEqual({ woke: true, status: 'expired' })
})

behaves('request/expiry-log', async (world) => {
  await world.inbox.personAdd({ name: 'eve' })
  const expired = await asked(world, { ...MINUTE, on_expiry: 'reject', remind_seconds: 30 })
  const up = { ...MINUTE, on_expiry: 'escalate', escalate_to: 'user:eve' } as const
  const escalated = await asked(world, { ...up, to: 'user' })
  const approved = await asked(world, { ...MINUTE, on_expiry: 'approve', agent: 'user' })
  await world.clock.advance(30)
  expect((await world.inbox.sweep({})).requests).toBe(1)
  await world.clock.advance(30)
  expect((await world.inbox.sweep({})).requests).toBe(3)
  const log = await world.exportLog()
  const other = await world.another('empty')
  await other.clock.advance(60)
  expect(await other.importLog(log)).toMatchObject({ rejected: [] })
  expect(await other.exportLog()).toBe(log)
  expect(await ailments(other)).toEqual([])
  for (const request of [expired, escalated, approved]) {
    const { decision: _, ...here } = await world.inbox.requestGet({ request })
    expect(await other.inbox.requestGet({ request })).toMatchObject(here)
  }
})

behaves('request/waiting', async (world) => {
  const old = await asked(world, { title: 'Old' })
  const other = await asked(world, { agent: 'bob', title: 'Of another' })
  await world.clock.advance(7 * DAY - 1)
  await asked(world, { title: 'New' })
  const finding = async () => {
    const { findings } = await world.inbox.doctor({})
    return findings.find(({ check }) => check === 'requests')
  }
  expect(await finding()).toMatchObject({ ok: true })
  expect((await world.inbox.status({})).waiting_requests).toEqual([])
  await world.clock.advance(1)
  const found = await finding()
  expect(found).toMatchObject({ ok: false, warning: true })
  for (const [request, agent] of [[old, 'ann'] as const, [other, 'bob'] as const]) {
    expect(found?.detail).toContain(`${request} (${agent})`)
  }
  const { waiting_requests: waiting } = await world.as('ann').status({})
  expect(waiting).toMatchObject([{ request_id: old, title: 'Old', requester: 'ann' }])
  await world.inbox.approve({ request: old, revision: 1 })
  await world.inbox.cancelRequest({ agent: 'bob', request: other })
  expect(await finding()).toMatchObject({ ok: true })
})

behaves('request/prune', async (world) => {
  const open = await asked(world)
  const unread = await asked(world)
  await world.inbox.approve({ request: unread, revision: 1 })
  const done = await asked(world, { agent: 'user' })
  await world.inbox.cancelRequest({ agent: 'user', request: done })
  await world.clock.advance(400 * DAY)
  const young = await asked(world, { agent: 'user' })
  await world.inbox.cancelRequest({ agent: 'user', request: young })
  expect((await world.inbox.prune({})).removed).toMatchObject({ threads: 0 })
  const asking = { requests_days: 30, dry_run: true }
  expect((await world.inbox.prune(asking)).threads).toMatchObject([{ thread_id: done }])
  const { removed } = await world.inbox.prune({ requests_days: 30 })
  expect(removed).toMatchObject({ kinds: { request: { threads: 1 } } })
  await refused(world.inbox.requestGet({ request: done }), 'not_found')
  for (const request of [open, unread, young]) await world.inbox.requestGet({ request })
  expect((await ailments(world)).map(({ check }) => check)).toEqual(['requests'])
  await world.inbox.mailMarkRead({ agent: 'ann', all: true })
  expect((await world.inbox.prune({ requests_days: 30 })).removed).toMatchObject({ threads: 1 })
  await refused(world.inbox.requestGet({ request: unread }), 'not_found')
})
