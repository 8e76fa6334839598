// The comments, activity log, threads and run of an inbox item over GraphQL.

import { expect, test } from 'bun:test'
import { ANN, BOB, codes, type GraphServer, onBothEngines, only } from './graph.ts'
import { op } from './serving.ts'

onBothEngines((engine, here) => {
  const run: GraphServer['run'] = (...asked) => here.run(...asked)
  const asked: GraphServer['asked'] = (...input) => here.asked(...input)

  test('addInboxItemComment reaches the requester and appears in the item and its log', async () => {
    const { tenantId } = here
    const id = await asked()
    const say = `mutation ($id: ID!, $content: String!) {
      addInboxItemComment(input: { inboxItemId: $id, content: $content }) {
        id inboxItemId tenantId authorId content createdAt
      }
    }`
    const comment = only(await run(say, { id, content: 'How high?' }))
    expect(comment).toMatchObject({ inboxItemId: id, tenantId, authorId: 'user' })
    expect(only(await run(say, { id, content: 'Two.' }, ANN))).toMatchObject({ authorId: 'ann' })
    expect(codes(await run(say, { id, content: 'Me too' }, BOB))).toEqual([
      'addInboxItemComment not_found',
    ])
    const empty = await run(say, { id, content: '  ' })
    expect(empty.errors[0]?.message).toContain('input.content is empty')
    await run(
      `mutation ($id: ID!) { approveInboxItem(id: $id, revision: 1, input: {reviewNotes: "So be it"}) { id } }`,
      { id },
    )
    const log = `query ($id: ID!, $actor: ID, $action: String, $after: DateTime, $before: DateTime, $limit: Int) {
      inboxItem(id: $id) { comments { id content } }
      activityLog(entityId: $id, actorId: $actor, action: $action, after: $after, before: $before, limit: $limit) {
        id tenantId actorId action entityType entityId fromStatus toStatus revision notes createdAt
      }
    }`
    const { data } = await run(log, { id })
    expect(data?.inboxItem).toMatchObject({
      comments: [{ id: comment.id, content: 'How high?' }, { content: 'Two.' }],
    })
    const entries = data?.activityLog as { action: string; createdAt: string }[]
    expect(entries.map(({ action }) => action)).toEqual([
      'inbox_item.created',
      'inbox_item.commented',
      'inbox_item.commented',
      'inbox_item.approved',
    ])
    expect(entries.at(-1)).toMatchObject({
      tenantId,
      actorId: 'user',
      entityType: 'inbox_item',
      entityId: id,
      revision: 1,
      fromStatus: 'PENDING',
      toStatus: 'APPROVED',
      notes: 'So be it',
    })
    const found = async (more: object) => {
      const { data } = await run(log, { id, ...more })
      return (data as { activityLog: { notes: string }[] }).activityLog.map(({ notes }) => notes)
    }
    expect(await found({ actor: 'ann' })).toEqual(['', 'Two.'])
    expect(await found({ action: 'inbox_item.approved' })).toEqual(['So be it'])
    expect(await found({ limit: 1 })).toEqual(['So be it'])
    const last = entries.at(-1)?.createdAt ?? ''
    expect(await found({ after: last })).toEqual([])
    expect(await found({ before: '2000-01-01' })).toEqual([])
    expect(codes(await run(log, { id }, BOB))).toEqual([
      'activityLog not_found',
      'inboxItem not_found',
    ])
    for (const limit of [0, 1001]) {
      expect(codes(await run(log, { id, limit }))).toEqual(['activityLog invalid_input'])
    }
    const wrong = `query ($id: ID!) { activityLog(entityType: "agent", entityId: $id) { id } }`
    expect(codes(await run(wrong, { id }))).toEqual(['activityLog invalid_input'])
  })

  test('addInboxItemLink and removeInboxItemLink link and unlink threads', async () => {
    const { tenantId } = here
    const id = await asked()
    const work = await op(here.server, 'send', { to: 'bob', subject: 'Raise it' }, ANN)
    const linkedId = (work.body.thread as { thread_id: string }).thread_id
    const add = `mutation ($id: ID!, $linkedId: ID!) {
      addInboxItemLink(input: { inboxItemId: $id, linkedType: "thread", linkedId: $linkedId }) {
        id inboxItemId tenantId linkedType linkedId
      }
    }`
    expect(codes(await run(add, { id, linkedId: 'thr_none' }))).toEqual([
      'addInboxItemLink not_found',
    ])
    expect(codes(await run(add, { id, linkedId }, BOB))).toEqual(['addInboxItemLink not_found'])
    const link = only(await run(add, { id, linkedId }, ANN))
    expect(link).toMatchObject({ inboxItemId: id, tenantId, linkedType: 'thread', linkedId })
    const look = `query ($id: ID!) { inboxItem(id: $id) {
      links { id linkedId } linkedThreads { id kind title status } activity { action notes }
    } }`
    const item = only(await run(look, { id }))
    expect(item).toMatchObject({
      links: [{ id: link.id, linkedId }],
      linkedThreads: [{ id: linkedId, kind: 'work', title: 'Raise it', status: 'pending' }],
    })
    expect(item.activity).toContainEqual({ action: 'inbox_item.linked', notes: linkedId })
    const remove = `mutation ($id: ID!) { removeInboxItemLink(id: $id) }`
    expect(codes(await run(remove, { id: link.id }, BOB))).toEqual([
      'removeInboxItemLink not_found',
    ])
    expect((await run(remove, { id: link.id })).data).toEqual({ removeInboxItemLink: true })
    expect((await run(remove, { id: link.id })).data).toEqual({ removeInboxItemLink: false })
    expect(codes(await run(remove, { id: 'what' }))).toEqual(['removeInboxItemLink not_found'])
    expect(only(await run(look, { id })).links).toEqual([])
    const file = `mutation { addInboxItemLink(input: { inboxItemId: "${id}", linkedType: "file", linkedId: "a" }) { id } }`
    expect(codes(await run(file))).toEqual(['addInboxItemLink invalid_input'])
  })

  test('a workspace review can be accepted, handed back, or canceled through its run', async () => {
    const { tenantId } = here
    let reviews = 0
    /** Pauses ann's run for a review, and returns the ids of both. */
    async function paused(more: object = {}) {
      const reviewId = `review-${engine}-${++reviews}`
      const review = { review: reviewId, title: 'New index', body: 'I add an index.', ...more }
      const { body } = await op(here.server, 'request-review', review, ANN)
      expect(body).toMatchObject({ ok: true, status: 'paused' })
      return {
        runId: String(body.agent_run_id),
        reviewId,
        item: String(body.request_id),
        revision: 1,
      }
    }
    const shownRun = `id tenantId agentId status reviewId reviewStatus responseMarkdown routing warning createdAt updatedAt
      inboxItem { id status type entityType entityId }`
    const decide = (field: string, input = 'AgentWorkspaceReviewDecisionInput') =>
      `mutation ($runId: ID!, $reviewId: ID!, $revision: Int!, $input: ${input}) {
        ${field}(runId: $runId, reviewId: $reviewId, revision: $revision, input: $input) { ${shownRun} }
      }`
    const accept = decide('acceptAgentWorkspaceReview')
    const first = await paused()
    const { runId, reviewId } = first
    const look = `query ($id: ID!) { inboxItem(id: $id) { title agentWorkspaceRun { id status reviewId warning } } }`
    expect(only(await run(look, { id: first.item }))).toMatchObject({
      title: 'Workspace review (unrouted): New index',
      agentWorkspaceRun: { id: runId, status: 'PAUSED', reviewId, warning: expect.any(String) },
    })
    expect(codes(await run(accept, first, ANN))).toEqual(['acceptAgentWorkspaceReview forbidden'])
    expect(codes(await run(accept, { ...first, revision: 2 }))).toEqual([
      'acceptAgentWorkspaceReview revision_conflict',
    ])
    expect(codes(await run(accept, { ...first, runId: 'agr_none' }))).toEqual([
      'acceptAgentWorkspaceReview not_found',
    ])
    const handBack = decide('resumeAgentWorkspaceRun', 'ResumeAgentWorkspaceRunInput!')
    const input = { responseMarkdown: 'Name it better' }
    expect((await run(handBack, first)).status).toBe(400)
    expect(only(await run(handBack, { ...first, input }))).toMatchObject({
      id: runId,
      tenantId,
      agentId: 'ann',
      status: 'RUNNING',
      reviewId,
      ...input,
      reviewStatus: 'REVISION_REQUESTED',
      inboxItem: { id: first.item, type: 'workspace_review', entityId: runId },
    })
    // A later review of the same run replaces the first, and the first one's decider gets an error that says so.
    const second = await paused({ agent_run: runId })
    const stale = await run(accept, first)
    expect(codes(stale)).toEqual(['acceptAgentWorkspaceReview invalid_state'])
    expect(stale.errors[0]?.message).toContain(`is at review "${second.reviewId}"`)
    expect(only(await run(accept, second))).toMatchObject({
      status: 'RUNNING',
      reviewStatus: 'APPROVED',
      inboxItem: { status: 'APPROVED' },
    })
    const third = await paused({ agent_run: runId })
    const cancel = decide('cancelAgentWorkspaceReview')
    expect(only(await run(cancel, { ...third, input }))).toMatchObject({
      status: 'CANCELLED',
      reviewStatus: 'REJECTED',
      ...input,
    })
    expect(codes(await run(cancel, third))).toEqual(['cancelAgentWorkspaceReview invalid_state'])
    // A decision on the item resumes the run too.
    const fourth = await paused()
    const approve = `mutation ($item: ID!) {
      approveInboxItem(id: $item, revision: 1) { status agentWorkspaceRun { id status } }
    }`
    expect(only(await run(approve, fourth))).toEqual({
      status: 'APPROVED',
      agentWorkspaceRun: { id: fourth.runId, status: 'RUNNING' },
    })
  })
})
