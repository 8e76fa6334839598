// Decisions on reviews change the status of their agent runs, and the log records how.

import { expect } from 'bun:test'
import { requestIn, review, runOf } from '../../worlds/agent-runs.ts'
import { behaves } from '../../worlds/behaves.ts'
import { ailments } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'

behaves('agent-run/resumed', async (world) => {
  const approved = await review(world)
  const { request_id: request } = approved
  await refused(world.inbox.approve({ agent: 'ann', request, revision: 1 }), 'forbidden')
  expect((await runOf(world, approved))?.status).toBe('paused')
  await world.inbox.approve({ request, revision: 1, notes: 'Go ahead' })
  expect(await runOf(world, approved)).toMatchObject({
    status: 'running',
    review_status: 'approved',
    response_markdown: 'Go ahead',
  })
  const revised = await review(world, { agent: 'bob' })
  const notes = '- shorter\n- with an example'
  await world.inbox.requestRevision({ request: revised.request_id, revision: 1, notes })
  expect(await runOf(world, revised)).toMatchObject({
    status: 'running',
    review_status: 'revision_requested',
    response_markdown: notes,
  })
  const [told] = (await world.inbox.mailRead({ agent: 'bob' })).messages
  const { agent_run_id } = revised
  expect(told?.metadata).toMatchObject({
    decision: 'request_revision',
    agent_run_id,
    review_id: 'r1',
    responseMarkdown: notes,
  })
  // A review that was sent back can be approved without another revision.
  await world.inbox.approve({ request: revised.request_id, revision: 1 })
  expect(await runOf(world, revised)).toMatchObject({
    status: 'running',
    review_status: 'approved',
  })
  expect(await ailments(world)).toEqual([])
})

behaves('agent-run/cancelled', async (world) => {
  const made = await review(world)
  const notes = 'Not this way'
  await world.inbox.reject({ request: made.request_id, revision: 1, notes })
  expect(await runOf(world, made)).toMatchObject({
    status: 'cancelled',
    review_status: 'rejected',
    response_markdown: notes,
  })
  const heard = await world.as('ann').requestGet({ request: made.request_id })
  expect(heard).toMatchObject({ stop: { about: 'agent_run', from: 'user' } })
  const { messages } = await world.inbox.mailRead({ agent: 'ann' })
  expect(messages).toMatchObject([{ type: 'cancel', body: notes }])
  await world.inbox.mailMarkRead({ agent: 'ann', all: true })
  const after = await world.as('ann').requestGet({ request: made.request_id })
  expect(after).not.toHaveProperty('stop')
  // The run has ended, so the next review starts another.
  await refused(review(world), 'invalid_state')
  expect((await review(world, { review: 'r2' })).agent_run_id).not.toBe(made.agent_run_id)
  expect(await ailments(world)).toEqual([])
})

behaves('agent-run/resubmitted', async (world) => {
  const made = await review(world)
  const { request_id: request } = made
  await world.inbox.requestRevision({ request, revision: 1, notes: 'Less' })
  const payload = JSON.stringify({ body: 'Less', target_path: 'docs', changes: [] })
  await world.inbox.resubmit({ agent: 'ann', request, revision: 1, payload })
  expect(await runOf(world, made)).toMatchObject({
    status: 'paused',
    review_status: 'pending',
    response_markdown: '',
    review_id: 'r1',
  })
  // Retrying the first submission still finds the same review.
  expect(await review(world)).toMatchObject({ request_id: request, status: 'paused' })
  await world.inbox.cancelRequest({ agent: 'ann', request })
  expect(await runOf(world, made)).toMatchObject({ status: 'running', review_status: 'cancelled' })
  expect((await requestIn(world, request)).status).toBe('cancelled')
  expect(await ailments(world)).toEqual([])
})

behaves('agent-run/grace', async (world) => {
  const made = await review(world)
  const { request_id: request, agent_run_id: agent_run } = made
  await world.inbox.approve({ request, revision: 1, grace_seconds: 30 })
  expect((await runOf(world, made))?.status).toBe('paused')
  await refused(review(world, { review: 'r2' }), 'invalid_state')
  await refused(world.inbox.agentEndRun({ agent_run }), 'invalid_state')
  await world.inbox.undoDecision({ request })
  await world.inbox.reject({ request, revision: 1, notes: 'No', grace_seconds: 30 })
  expect((await runOf(world, made))?.status).toBe('paused')
  await world.clock.advance(30)
  // Listing the runs also carries out a decision that is due.
  expect(await runOf(world, made)).toMatchObject({ status: 'cancelled', response_markdown: 'No' })
  expect(await ailments(world)).toEqual([])
})

behaves('agent-run/bad-agents', async (world) => {
  await world.inbox.agentRegister({ agent: 'top' })
  await world.inbox.agentRegister({ agent: 'low', parent: 'top' })
  await world.inbox.agentRegister({ agent: 'ann' })
  const above = (agent: string, parent: string) => (line: string) =>
    line.includes(`\\"agent_id\\":\\"${agent}\\"`)
      ? line.replace('\\"parent_agent_id\\":null', `\\"parent_agent_id\\":\\"${parent}\\"`)
      : line
  const lines = (await world.exportLog()).split('\n')
  const bad = lines.map(above('top', 'low')).map(above('ann', 'nobody'))
  const other = await world.another('empty')
  expect(await other.importLog(bad.join('\n'))).toMatchObject({ rejected: [] })
  const circle = await review(other, { agent: 'low' })
  const lost = await review(other, { agent: 'ann' })
  expect((await runOf(other, circle))?.routing).toBe('cycle')
  expect((await runOf(other, lost))?.routing).toBe('missing_parent')
  for (const { request_id } of [circle, lost]) {
    const { title, recipient } = await requestIn(other, request_id)
    expect(title).toBe('Workspace review (unrouted): Shorter words')
    expect(recipient).toBe('')
  }
})

behaves('agent-run/backfill', async (world) => {
  await review(world)
  await review(world, { agent: 'bob' })
  // Simulates a log from a program without requests: the runs are paused, but no one was asked.
  const lines = (await world.exportLog()).split('\n')
  // One run's log still names a request that has been pruned.
  const bare = lines
    .filter((line) => !line.includes('"request_create"'))
    .map((line) =>
      line.includes('"agent":"bob"') ? line : line.replace(/(\\"request_id\\":\\")req_\w+/, '$1'),
    )
  expect(bare).toHaveLength(lines.length - 2)
  const other = await world.another('empty')
  expect(await other.importLog(bare.join('\n'))).toMatchObject({ rejected: [] })
  expect((await other.inbox.requestList({})).requests).toEqual([])
  expect(await ailments(other)).toMatchObject([{ check: 'reviews', warning: true }])
  const { requests } = await other.inbox.requestBackfill({})
  expect(requests).toHaveLength(2)
  expect((await other.inbox.requestBackfill({})).requests).toEqual([])
  const { agent_runs } = await other.inbox.agentRuns({})
  expect(agent_runs.map(({ request_id }) => request_id).sort()).toEqual(requests.toSorted())
  const [request = ''] = requests
  const { revisions, agent_run } = await other.inbox.requestGet({ request })
  expect(revisions[0]?.title).toContain('Workspace review (unrouted): ')
  expect(agent_run?.status).toBe('paused')
  // Now it can be decided, and a retry of the review finds it.
  await other.inbox.approve({ request, revision: 1 })
  expect(await other.inbox.agentRuns({ status: 'running' })).toMatchObject({
    agent_runs: [{ request_id: request }],
  })
  expect(await ailments(other)).toEqual([])
})
