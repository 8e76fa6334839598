// Effects: what approvals start. Tests of brokers and kills are in test/faults/effects.test.ts.

import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import {
  approvedOf,
  beginAndDie,
  carryOutHere,
  effectCommand,
  effectOf,
  startedEffects,
} from '../../worlds/effects.ts'
import { once } from '../../worlds/once.ts'
import { ailments } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'

const COMMAND = ['/usr/bin/deploy', '--now', '--now', 'a,b']
const command = JSON.stringify(COMMAND)

behaves('request/effect-set', async (world) => {
  expect((await world.inbox.requestEffects()).effects).toEqual([])
  const want = { type: 'deploy', command, cwd: '/tmp', timeout_seconds: 5 }
  const keyed = { ...want, idempotency_key: 'set-1' }
  const { effect } = await once(world, () => world.inbox.requestEffect(keyed))
  const shown = { type: 'deploy', command: COMMAND, cwd: '/tmp', timeout_seconds: 5 }
  expect(effect).toMatchObject({ ...shown, allowed: true, set_by: 'user' })
  await world.inbox.requestEffect({ type: 'another', command: '["true"]' })
  const { effects } = await world.inbox.requestEffects()
  expect(effects).toMatchObject([{ type: 'another', cwd: null, timeout_seconds: 600 }, shown])
  // Setting an effect again replaces it completely.
  await world.inbox.requestEffect({ type: 'deploy', command: '["true"]' })
  expect((await world.inbox.requestEffects()).effects[1]).toMatchObject({
    command: ['true'],
    cwd: null,
    timeout_seconds: 600,
  })
  expect((await world.inbox.requestEffect({ type: 'deploy', remove: true })).effect).toBeUndefined()
  expect((await world.inbox.requestEffects()).effects.map(({ type }) => type)).toEqual(['another'])
  await refused(world.inbox.requestEffect({ type: 'deploy', remove: true }), 'not_found')
  expect(await ailments(world)).toEqual([])
})

behaves('request/effect-refused', async (world) => {
  const type = 'deploy'
  for (const wrong of ['[]', '"true"', '{}', '[1]', '[""]']) {
    await refused(world.inbox.requestEffect({ type, command: wrong }), 'invalid_input')
  }
  await refused(world.inbox.requestEffect({ type, command, cwd: 'here' }), 'invalid_input')
  await refused(world.inbox.requestEffect({ type }), 'invalid_input')
  await refused(world.inbox.requestEffect({ type, command, remove: true }), 'invalid_input')
  await refused(world.inbox.requestEffect({ type, cwd: '/', remove: true }), 'invalid_input')
  await refused(world.inbox.requestEffect({ agent: 'ann', type, command }), 'forbidden')
  expect((await world.inbox.requestEffects()).effects).toEqual([])
})

behaves('request/effect-queued', async (world) => {
  const early = await approvedOf(world.inbox, 'deploy')
  await world.inbox.requestEffect({ type: 'deploy', command })
  const request = await approvedOf(world.inbox, 'deploy')
  const effect = await effectOf(world.inbox, request)
  expect(effect).toMatchObject({ state: 'waiting', attempt: 1, started_at: null, ended_at: null })
  expect(effect.reason).toContain("start 'inbox serve' or 'inbox wake run'")
  const { activity } = await world.inbox.requestGet({ request })
  expect(activity.map(({ action }) => action)).toEqual(['create', 'approve', 'effect_queue'])
  const asked = { agent: 'ann', type: 'deploy', title: 'May I?' }
  const { request_id: rejected } = await world.inbox.requestCreate(asked)
  await world.inbox.reject({ request: rejected, revision: 1 })
  const other = await approvedOf(world.inbox, 'other')
  await world.inbox.requestEffect({ type: 'deploy', remove: true })
  const late = await approvedOf(world.inbox, 'deploy')
  for (const without of [early, rejected, other, late]) {
    expect((await world.inbox.requestGet({ request: without })).effect).toBeNull()
  }
  // The command was withdrawn before it started.
  expect(await effectOf(world.inbox, request)).toMatchObject({
    reason: 'its type no longer has a command',
  })
  expect(await carryOutHere(world.address, request)).toEqual({ started: false })
  expect(await effectOf(world.inbox, request)).toMatchObject({ state: 'failed', attempt: 1 })
  expect(await ailments(world)).toEqual([])
})

behaves('request/effect-input', async (world) => {
  const works = effectCommand(world.folder, 'works')
  await world.inbox.requestEffect({ type: 'deploy', command: works })
  const asked = { agent: 'ann', type: 'deploy', title: 'May I?', payload: '{"n":1}' }
  const { request_id: request } = await world.inbox.requestCreate({ ...asked, editable: true })
  await world.inbox.approve({ request, revision: 1, payload: '{"n":2}', notes: 'Only two' })
  expect(await carryOutHere(world.address, request)).toMatchObject({ started: true, state: 'done' })
  const [start] = startedEffects(world.folder)
  const { decision } = await world.inbox.requestGet({ request })
  expect(JSON.parse(start?.input ?? '')).toEqual({
    request_id: request,
    type: 'deploy',
    revision: 1,
    requester: 'ann',
    title: 'May I?',
    payload: { n: 2 },
    notes: 'Only two',
    warrant: decision?.warrant,
  })
  expect(await effectOf(world.inbox, request)).toMatchObject({ state: 'done', exit_code: 0 })
  // An effect is never carried out twice.
  expect(await carryOutHere(world.address, request)).toEqual({ started: false })
  expect(startedEffects(world.folder)).toHaveLength(1)
  expect(await ailments(world)).toEqual([])
})

behaves('request/effect-retry', async (world) => {
  const set = (way: 'fails' | 'works') => {
    return world.inbox.requestEffect({ type: 'deploy', command: effectCommand(world.folder, way) })
  }
  await set('fails')
  const request = await approvedOf(world.inbox, 'deploy')
  await refused(world.inbox.requestRetry({ request }), 'invalid_state')
  await carryOutHere(world.address, request)
  const failed = await effectOf(world.inbox, request)
  expect(failed).toMatchObject({ state: 'failed', exit_code: 3 })
  expect(failed.last_words).toContain('the host is down')
  await refused(world.inbox.requestRetry({ agent: 'ann', request }), 'forbidden')
  const again = { request, idempotency_key: 'again-1' }
  expect(await once(world, () => world.inbox.requestRetry(again))).toMatchObject({ attempt: 2 })
  expect(await effectOf(world.inbox, request)).toMatchObject({
    state: 'waiting',
    attempt: 2,
    exit_code: null,
    last_words: '',
  })
  await set('works')
  await carryOutHere(world.address, request)
  expect(await effectOf(world.inbox, request)).toMatchObject({ state: 'done', attempt: 2 })
  await refused(world.inbox.requestRetry({ request }), 'invalid_state')
  const other = await approvedOf(world.inbox, 'other')
  await refused(world.inbox.requestRetry({ request: other }), 'invalid_state')
  expect(startedEffects(world.folder)).toHaveLength(2)
  expect(await ailments(world)).toEqual([])
})

behaves('request/effect-lost', async (world) => {
  await world.inbox.requestEffect({
    type: 'deploy',
    command: effectCommand(world.folder, 'works'),
  })
  const request = await approvedOf(world.inbox, 'deploy')
  await beginAndDie(world.address, request)
  await world.clock.advance(29)
  expect(await effectOf(world.inbox, request)).toMatchObject({ state: 'running', reason: '' })
  await refused(world.inbox.requestRetry({ request }), 'invalid_state')
  await world.clock.advance(1)
  const lost = await effectOf(world.inbox, request)
  expect(lost).toMatchObject({ state: 'unknown', attempt: 1, exit_code: null })
  expect(lost.reason).toContain('it is unknown how far it got')
  expect(await world.inbox.requestRetry({ request })).toMatchObject({ attempt: 2 })
  expect(await effectOf(world.inbox, request)).toMatchObject({ state: 'waiting', attempt: 2 })
  const { activity } = await world.inbox.requestGet({ request })
  expect(activity.slice(-3).map(({ action, actor }) => [action, actor])).toEqual([
    ['effect_start', 'system'],
    ['effect_end', 'system'],
    ['effect_retry', 'user'],
  ])
  expect(await carryOutHere(world.address, request)).toMatchObject({ state: 'done' })
  expect(startedEffects(world.folder)).toHaveLength(1)
  expect(await ailments(world)).toEqual([])
})

behaves('request/effect-imported', async (world) => {
  await world.inbox.requestEffect({
    type: 'deploy',
    command: effectCommand(world.folder, 'works'),
  })
  const request = await approvedOf(world.inbox, 'deploy')
  const other = await world.another('empty')
  expect(await other.importLog(await world.exportLog())).toMatchObject({ rejected: [] })
  // Even if the store's owner sets the command again, which allows it, the effect isn't carried out.
  await other.inbox.requestEffect({
    type: 'deploy',
    command: effectCommand(world.folder, 'works'),
  })
  expect(await carryOutHere(other.address, request)).toEqual({ started: false })
  const effect = await effectOf(other.inbox, request)
  expect(effect).toMatchObject({ state: 'waiting' })
  expect(effect.reason).toContain('came with an imported log')
  expect(startedEffects(world.folder)).toEqual([])
  expect(await ailments(other)).toEqual([])
  // A log that queues the effect of an undecided request is rejected.
  const lines = (await world.exportLog()).trimEnd().split('\n')
  const undecided = lines.filter((line) => !line.includes('"request_approve"'))
  expect(undecided).toHaveLength(lines.length - 1)
  const hostile = await world.another('empty')
  const text = `${undecided.join('\n')}\n`
  const imported = hostile.importLog(text).then(({ rejected }) => rejected)
  const reasons = JSON.stringify(await imported.catch((error: Error) => error.message))
  expect(reasons).toContain('it queues the effect of a request that is not approved')
})
