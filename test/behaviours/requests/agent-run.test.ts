// Agent runs: how a review pauses one, who decides it, and who sees it.

import { expect } from 'bun:test'
import { CHANGE, requestIn, review, runOf } from '../../worlds/agent-runs.ts'
import { behaves } from '../../worlds/behaves.ts'
import { once } from '../../worlds/once.ts'
import { ailments } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import { asked, titles, unreadOf } from '../../worlds/requests.ts'
import type { World } from '../../worlds/world.ts'

behaves('agent-run/paused', async (world) => {
  await world.inbox.agentRegister({ agent: 'ann', source: 'system' })
  const made = await review(world)
  expect(made).toMatchObject({ status: 'paused', review_status: 'pending', recipient: '' })
  const answer = await world.inbox.requestGet({ request: made.request_id })
  expect(answer.request).toMatchObject({
    type: 'workspace_review',
    requester: 'ann',
    review_id: 'r1',
    status: 'pending',
    entity_type: 'agent_workspace_run',
    entity_id: made.agent_run_id,
  })
  expect(answer.revisions[0]?.payload).toEqual({
    body: 'Please **look**.',
    target_path: 'docs',
    changes: [CHANGE],
  })
  expect(answer.agent_run).toMatchObject({ agent_id: 'ann', status: 'paused', review_id: 'r1' })
  expect(await runOf(world, made)).toMatchObject({
    agent_id: 'ann',
    status: 'paused',
    review_id: 'r1',
    request_id: made.request_id,
    review_status: 'pending',
    response_markdown: '',
    routing: 'system',
    warning: '',
  })
  expect(await unreadOf(world, 'user')).toEqual(['Workspace review: Shorter words'])
  expect(await ailments(world)).toEqual([])
})

behaves('agent-run/bad-input', async (world) => {
  await refused(review(world, { agent: 'user' }), 'invalid_input')
  await refused(review(world, { changes: '{}' }), 'invalid_input')
  await refused(review(world, { changes: '[{"kind":"edit"}]' }), 'invalid_input')
  await refused(review(world, { title: 'x'.repeat(161) }), 'invalid_input')
  await refused(review(world, { review: '' }), 'invalid_input')
  await refused(review(world, { agent_run: 'agr_none' }), 'not_found')
  const { agent_run_id } = await review(world)
  await refused(review(world, { agent: 'bob', agent_run: agent_run_id }), 'not_found')
  expect(await titles(world)).toHaveLength(1)
})

behaves('agent-run/once', async (world) => {
  const made = await review(world)
  for (let time = 0; time < 3; time++) {
    await world.clock.advance(1)
    expect(await review(world)).toMatchObject({
      agent_run_id: made.agent_run_id,
      request_id: made.request_id,
      status: 'paused',
    })
  }
  const others = [{ body: 'Something else' }, { title: 'Longer words' }, { description: 'Because' }]
  for (const other of others) {
    const said = await refused(review(world, other), 'invalid_state')
    expect(said.details).toMatchObject({ request_id: made.request_id })
  }
  // Review names are per agent: bob can reuse ann's.
  expect((await review(world, { agent: 'bob' })).agent_run_id).not.toBe(made.agent_run_id)
  expect(await titles(world)).toHaveLength(2)
  // A later revision doesn't change what was submitted under the name.
  const [request, notes] = [made.request_id, 'Fine']
  await world.inbox.requestRevision({ request, revision: 1, notes: 'Shorter' })
  await world.inbox.resubmit({ agent: 'ann', request, revision: 1, title: 'Longer words' })
  expect(await review(world)).toMatchObject({ request_id: request, status: 'paused' })
  for (const other of others) await refused(review(world, other), 'invalid_state')
  // Once it is decided, a retry returns the decision.
  await world.inbox.approve({ request, revision: 2, notes })
  expect(await review(world)).toMatchObject({ status: 'running', review_status: 'approved' })
  expect((await runOf(world, made))?.status).toBe('running')
})

behaves('agent-run/later', async (world) => {
  const first = await review(world)
  const description = 'The first was too long.'
  const second = await review(world, { review: 'r2', body: 'Better', description })
  expect(second.agent_run_id).toBe(first.agent_run_id)
  expect(second.request_id).not.toBe(first.request_id)
  expect(await requestIn(world, first.request_id)).toMatchObject({
    status: 'cancelled',
    decided_by: 'ann',
  })
  expect(await runOf(world, first)).toMatchObject({
    status: 'paused',
    review_id: 'r2',
    request_id: second.request_id,
  })
  // Only the later review remains to be decided.
  expect(await titles(world)).toHaveLength(1)
  expect(await unreadOf(world, 'user')).toHaveLength(1)
  await world.inbox.approve({ request: second.request_id, revision: 1 })
  const third = await review(world, { review: 'r3', agent_run: first.agent_run_id })
  expect(third.agent_run_id).toBe(first.agent_run_id)
  expect((await requestIn(world, second.request_id)).status).toBe('approved')
  expect(await ailments(world)).toEqual([])
})

behaves('agent-run/stale', async (world) => {
  const first = await review(world)
  const second = await review(world, { review: 'r2' })
  await refused(review(world), 'invalid_state')
  const late = world.inbox.approve({ request: first.request_id, revision: 1 })
  await refused(late, 'invalid_state')
  await world.inbox.agentEndRun({ agent: 'ann', agent_run: first.agent_run_id })
  const said = await refused(review(world, { review: 'r2' }), 'invalid_state')
  expect(said.message).toContain(second.request_id)
  await refused(world.inbox.approve({ request: second.request_id, revision: 1 }), 'invalid_state')
  const more = { review: 'r3', agent_run: first.agent_run_id }
  await refused(review(world, more), 'invalid_state')
  // A review that doesn't name the run starts another one.
  const next = await review(world, { review: 'r3' })
  expect(next.agent_run_id).not.toBe(first.agent_run_id)
  expect((await runOf(world, first))?.status).toBe('ended')
})

/** Registers a0 below a1, a1 below a2, and so on. The topmost agent gets `more`. */
async function registerChain(world: World, length: number, more: object): Promise<void> {
  for (let n = length - 1; n >= 0; n--) {
    const above = n === length - 1 ? more : { parent: `a${n + 1}` }
    await world.inbox.agentRegister({ agent: `a${n}`, ...above })
  }
}

behaves('agent-run/routed', async (world) => {
  await registerChain(world, 10, { paired_person: 'eve' })
  const own = await review(world, { agent: 'a9' })
  expect(own.recipient).toBe('user:eve')
  expect(own).not.toHaveProperty('warning')
  // The eighth agent above a1 is a9.
  const routed = await review(world, { agent: 'a1' })
  expect(routed.recipient).toBe('user:eve')
  expect((await requestIn(world, routed.request_id)).recipient).toBe('user:eve')
  expect(await unreadOf(world, 'user:eve')).toHaveLength(2)
  expect(await unreadOf(world, 'user')).toEqual([])
  expect((await runOf(world, routed))?.routing).toBe('person')
  // A person paired with a nearer agent takes precedence.
  await world.inbox.agentRegister({ agent: 'a5', paired_person: 'tom' })
  expect((await review(world, { agent: 'a4' })).recipient).toBe('user:tom')
})

behaves('agent-run/system', async (world) => {
  await registerChain(world, 3, { source: 'system' })
  const { request_id, ...answer } = await review(world, { agent: 'a0' })
  expect(answer.recipient).toBe('')
  expect(answer).not.toHaveProperty('warning')
  expect((await requestIn(world, request_id)).title).toBe('Workspace review: Shorter words')
  expect(await unreadOf(world, 'user')).toHaveLength(1)
})

behaves('agent-run/unrouted', async (world) => {
  await registerChain(world, 10, { paired_person: 'eve' })
  const deep = await review(world, { agent: 'a0' })
  expect(deep.recipient).toBe('')
  expect(deep.warning).toContain('more than 8 agents are above it')
  const orphan = await review(world, { agent: 'ann' })
  expect((await runOf(world, orphan))?.routing).toBe('no_parent')
  for (const { request_id } of [deep, orphan]) {
    const { request, agent_run } = await world.inbox.requestGet({ request: request_id })
    expect(request.title).toBe('Workspace review (unrouted): Shorter words')
    expect(agent_run?.warning).toContain('no one is responsible')
  }
  for (const person of ['user', 'user:eve']) expect(await unreadOf(world, person)).toHaveLength(2)
  // The review stays marked as unrouted when it's resubmitted with another title.
  const { request_id: request } = orphan
  await world.inbox.requestRevision({ request, revision: 1, notes: 'Less' })
  await world.inbox.resubmit({ agent: 'ann', request, revision: 1, title: 'Less' })
  expect((await requestIn(world, request)).title).toBe('Workspace review (unrouted): Less')
})

behaves('agent-run/ended', async (world) => {
  const made = await review(world)
  const { agent_run_id: agent_run } = made
  await refused(world.inbox.agentEndRun({ agent: 'bob', agent_run }), 'not_found')
  expect(await world.inbox.agentEndRun({ agent: 'ann', agent_run })).toMatchObject({
    status: 'ended',
    cancelled: made.request_id,
  })
  expect((await requestIn(world, made.request_id)).status).toBe('cancelled')
  expect((await runOf(world, made))?.status).toBe('ended')
  await refused(world.inbox.agentEndRun({ agent_run }), 'invalid_state')
  const other = await review(world, { review: 'r2' })
  await world.inbox.approve({ request: other.request_id, revision: 1 })
  const byPerson = await world.inbox.agentEndRun({ agent_run: other.agent_run_id })
  expect(byPerson.cancelled).toBeNull()
  expect((await requestIn(world, other.request_id)).status).toBe('approved')
  expect(await unreadOf(world, 'user')).toEqual([])
  expect(await ailments(world)).toEqual([])
})

behaves('agent-run/key', async (world) => {
  const idempotency_key = 'try-1'
  const { agent_run_id } = await once(world, () => review(world, { idempotency_key }))
  const end = { agent: 'ann', agent_run: agent_run_id, idempotency_key: 'try-2' }
  await once(world, () => world.inbox.agentEndRun(end))
})

behaves('agent-run/listed', async (world) => {
  const made = []
  for (const agent of ['ann', 'bob', 'eli']) {
    made.push(await review(world, { agent }))
    await world.clock.advance(1)
  }
  const listed = async (input: Parameters<World['inbox']['agentRuns']>[0] = {}) =>
    (await world.inbox.agentRuns(input)).agent_runs.map(({ agent_id }) => agent_id)
  expect(await listed()).toEqual(['eli', 'bob', 'ann'])
  const notes = 'Shorter, please'
  await world.inbox.requestRevision({ request: made[1]?.request_id ?? '', revision: 1, notes })
  expect(await listed({ status: 'paused' })).toEqual(['eli', 'ann'])
  const { agent_runs } = await world.inbox.agentRuns({ of: 'bob' })
  expect(agent_runs).toMatchObject([{ status: 'running', response_markdown: notes }])
  const page = await world.inbox.agentRuns({ limit: 2 })
  expect(page.has_more).toBe(true)
  expect(await listed({ before: page.next_before as string })).toEqual(['ann'])
})

behaves('agent-run/sight', async (world) => {
  await world.inbox.agentRegister({ agent: 'boss', role: 'orchestrator' })
  const { agent_run_id: agent_run } = await review(world)
  const seen = async (agent: string, more: object = {}) =>
    (await world.inbox.agentRuns({ agent, ...more })).agent_runs.length
  for (const agent of ['user', 'ann', 'boss']) {
    expect(await seen(agent)).toBe(1)
    expect(await seen(agent, { agent_run })).toBe(1)
  }
  expect(await seen('bob')).toBe(0)
  expect(await seen('bob', { of: 'ann' })).toBe(0)
  expect(await seen('bob', { agent_run })).toBe(0)
})

behaves('agent-run/reserved', async (world) => {
  const { agent_run_id } = await review(world)
  const entity = { entity_type: 'agent_workspace_run', entity_id: agent_run_id }
  await refused(asked(world, { agent: 'bob', ...entity }), 'invalid_input')
  expect(await titles(world)).toHaveLength(1)
})
