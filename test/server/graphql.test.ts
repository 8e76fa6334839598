// The approval queue over GraphQL: what each field and mutation gives, and to whom. On both engines, by a server that
// runs.

import { beforeAll, describe, expect, test } from 'bun:test'
import { LIMIT } from '../worlds/requests.ts'
import { freshSchema } from '../worlds/server.ts'
import { codes, type Graphed, graph, type Visit } from './graph.ts'
import { op, type Running, servers, tokenFor } from './serving.ts'

const { start } = servers()

const CREATE = `mutation ($input: CreateInboxItemInput!, $key: String) {
  createInboxItem(input: $input, idempotencyKey: $key) { id status revision }
}`
const RAISE = { type: 'config_change', title: 'Raise the limit', config: LIMIT }

const ANN: Visit = { as: 'ann' }
const BOB: Visit = { as: 'bob' }

describe.each(['sqlite', 'postgres'])('on %s', (engine) => {
  let server: Running
  let tenantId: string
  beforeAll(async () => {
    server = await start(engine === 'sqlite' ? {} : { db: [freshSchema().address] })
    tenantId = server.stores[0]?.id ?? ''
  })

  const run = (query: string, variables: object = {}, visit: Visit = {}) =>
    graph(server, query, variables, visit)

  /** A request by ann, and its id. */
  async function asked(input: object = {}, visit: Visit = ANN): Promise<string> {
    const made = await run(CREATE, { input: { ...RAISE, ...input } }, visit)
    expect(made.errors).toEqual([])
    return (made.data as { createInboxItem: { id: string } }).createInboxItem.id
  }

  /** The one field that was asked for. */
  const only = ({ data, errors }: Graphed) => {
    expect(errors).toEqual([])
    return Object.values(data ?? {})[0] as Record<string, unknown>
  }

  test('createInboxItem asks for something, once for each key, as whoever calls', async () => {
    const input = {
      ...{ type: 'config_change', title: 'Lower it', description: 'Why', config: LIMIT, tenantId },
      ...{ consequence: 'It is slower.', entityType: 'service', entityId: 'api', risk: 'HIGH' },
      ...{ policy: 'NAMED', deciders: ['user'], editable: true, recipientId: 'user' },
      ...{ requesterId: 'ann' },
    }
    const key = crypto.randomUUID()
    const first = only(await run(CREATE, { input, key }, ANN))
    expect(only(await run(CREATE, { input, key }, ANN))).toEqual(first)
    const all = `query ($id: ID!) { inboxItem(id: $id) {
      id tenantId type status title description consequence config configSha256 revision requesterId recipientId
      entityType entityId workspaceId risk policy deciders editable reviewNotes decidedBy decidedAt expiresAt
      createdAt updatedAt actions answer decisionValues
    } }`
    const { id } = first
    const item = only(await run(all, { id }))
    const { requesterId: _, ...same } = input
    expect(item).toMatchObject({ ...same, id, status: 'PENDING', revision: 1, requesterId: 'ann' })
    expect(item).toMatchObject({ workspaceId: null, reviewNotes: null, decidedBy: null })
    expect(item.updatedAt).toBe(item.createdAt)
    expect(item.configSha256).toMatch(/^[0-9a-f]{64}$/)
    expect(item.actions).toContain('approve')
    const wrong = await run(CREATE, { input: { ...RAISE, requesterId: 'bob' } }, ANN)
    expect(codes(wrong)).toEqual(['createInboxItem forbidden'])
    expect(wrong.errors[0]?.message).toContain('requesterId "bob" is not you')
    const left = await run(CREATE, { input: { ...RAISE, requesterId: null } }, ANN)
    expect(left.errors).toEqual([])
    const bad = await run(CREATE, { input: { ...RAISE, config: { target: 1 } } }, ANN)
    expect(codes(bad)).toEqual(['createInboxItem invalid_input'])
    expect(bad.errors[0]?.message).toContain('input.config')
    expect(bad.data).toEqual({ createInboxItem: null })
  })

  test('config may be written in the document, as an object or as JSON', async () => {
    const make = `mutation ($c: JSON) {
      object: createInboxItem(input: {type: "x", title: "a", config: {n: [1, -2.5, true, null], s: "ä", e: WORD}}) { config }
      text: createInboxItem(input: {type: "x", title: "b", config: "{\\"n\\": 1}"}) { config }
      inside: createInboxItem(input: {type: "x", title: "c", config: {inside: $c}}) { config }
    }`
    const { data, errors } = await run(make, { c: { deep: [1] } })
    expect(errors).toEqual([])
    expect(data).toEqual({
      object: { config: { n: [1, -2.5, true, null], s: 'ä', e: 'WORD' } },
      text: { config: { n: 1 } },
      inside: { config: { inside: { deep: [1] } } },
    })
    const changed = `mutation { createInboxItem(input: {type: "x", title: "d", config: {n: 9007199254740993}}) { id } }`
    const refused = await run(changed)
    expect(codes(refused)).toEqual(['createInboxItem invalid_input'])
    expect(refused.errors[0]?.message).toContain('9007199254740993')
  })

  test('approveInboxItem decides the revision that it names, once', async () => {
    const id = await asked()
    const approve = `mutation ($id: ID!, $revision: Int!, $input: ApproveInboxItemInput, $key: String) {
      approveInboxItem(id: $id, revision: $revision, input: $input, idempotencyKey: $key) {
        status decidedBy decidedAt reviewNotes config
      }
    }`
    const stale = await run(approve, { id, revision: 2 })
    expect(codes(stale)).toEqual(['approveInboxItem revision_conflict'])
    expect(stale.errors[0]).toMatchObject({
      message: expect.stringContaining(`inboxItem(id: "${id}")`),
      extensions: { status: 409, details: { request_id: id, revision: 1 } },
    })
    for (const visit of [ANN, BOB]) {
      const byAgent = await run(approve, { id, revision: 1 }, visit)
      expect(codes(byAgent)).toEqual(['approveInboxItem forbidden'])
    }
    const said = { id, revision: 1, input: { reviewNotes: 'Fine' }, key: crypto.randomUUID() }
    const done = only(await run(approve, said))
    expect(done).toMatchObject({ status: 'APPROVED', decidedBy: 'user', reviewNotes: 'Fine' })
    expect(done.config).toEqual(LIMIT)
    expect(only(await run(approve, said))).toEqual(done)
    const again = await run(approve, { id, revision: 1 })
    expect(codes(again)).toEqual(['approveInboxItem invalid_state'])
    expect(again.errors[0]?.extensions.details).toMatchObject({ decided_by: 'user' })
    expect((await op(server, 'mail-peek', {}, ANN)).text).toContain('approved: Fine')
  })

  test('a decision with a grace is held, and undoInboxItemDecision takes it back', async () => {
    const id = await asked()
    const look = `status held { move by until } actions`
    const approve = `mutation ($id: ID!, $seconds: Int) {
      approveInboxItem(id: $id, revision: 1, input: { graceSeconds: $seconds }) { ${look} warrant }
    }`
    const held = only(await run(approve, { id, seconds: 60 }))
    expect(held).toMatchObject({ status: 'PENDING', held: { move: 'approve', by: 'user' } })
    expect(held.warrant).toBeNull()
    const undo = `mutation ($id: ID!) { undoInboxItemDecision(id: $id) { ${look} } }`
    expect(codes(await run(undo, { id }, ANN))).toEqual(['undoInboxItemDecision forbidden'])
    expect(only(await run(undo, { id }))).toMatchObject({ status: 'PENDING', held: null })
    expect(codes(await run(undo, { id }))).toEqual(['undoInboxItemDecision invalid_state'])
    const long = await run(approve, { id, seconds: 61 })
    expect(long.errors[0]?.message).toContain('input.graceSeconds 61 is out of range')
    const done = only(await run(approve, { id }))
    expect(done).toMatchObject({ status: 'APPROVED', held: null })
    expect(done.warrant).toMatchObject({ request_id: id, signature: expect.any(String) })
  })

  test('an item that wants an answer in time says so, and what happens then', async () => {
    const look = 'expiresAt overdue onExpiry escalateTo escalatedAt remindAt effect { state }'
    const make = `mutation ($input: CreateInboxItemInput!) { createInboxItem(input: $input) { createdAt ${look} } }`
    const expiry = {
      expiresSeconds: 3600,
      onExpiry: 'ESCALATE',
      escalateTo: 'user',
      remindSeconds: 60,
    }
    const item = only(await run(make, { input: { ...RAISE, ...expiry } }, ANN))
    expect(item).toMatchObject({ overdue: false, onExpiry: 'ESCALATE', escalateTo: 'user' })
    const wait = (moment: unknown) =>
      Date.parse(String(moment)) - Date.parse(String(item.createdAt))
    expect([wait(item.expiresAt), wait(item.remindAt)]).toEqual([3_600_000, 60_000])
    expect(item).toMatchObject({ escalatedAt: null, effect: null })
    const own = { input: { ...RAISE, expiresSeconds: 9, onExpiry: 'APPROVE' } }
    expect(codes(await run(make, own, ANN))).toEqual(['createInboxItem forbidden'])
    const late = await run(make, { input: { ...RAISE, expiresSeconds: 5, remindSeconds: 5 } }, ANN)
    expect(late.errors[0]?.message).toContain('remindSeconds is not before expiresSeconds')
  })

  test('an effect shows how far it has come', async () => {
    const type = `effect-${engine}`
    await op(server, 'request-effect', { type, command: '["/no/such/program"]' })
    const id = await asked({ type })
    const approve = `mutation ($id: ID!) {
      approveInboxItem(id: $id, revision: 1) { effect { state attempt queuedAt startedAt endedAt exitCode reason } }
    }`
    const { effect } = only(await run(approve, { id })) as { effect: Record<string, unknown> }
    expect(effect).toMatchObject({ attempt: 1, queuedAt: expect.any(String) })
    expect(['waiting', 'running', 'failed']).toContain(effect.state as string)
  })

  test('an approval may change what is editable, and answers a question', async () => {
    const edited = { ...LIMIT, proposed: { limit: 5 } }
    const id = await asked({ editable: true })
    const approve = `mutation ($id: ID!, $input: ApproveInboxItemInput) {
      approveInboxItem(id: $id, revision: 1, input: $input) { config configSha256 answer decisionValues }
    }`
    expect(only(await run(approve, { id, input: { config: edited } })).config).toEqual(edited)
    const fixed = await asked()
    expect(codes(await run(approve, { id: fixed, input: { config: edited } }))).toEqual([
      'approveInboxItem invalid_state',
    ])
    const which = { type: 'question', title: 'Which?' }
    const inWords = await asked({ ...which, config: { text: 'Which?', options: ['a', 'b'] } })
    expect(only(await run(approve, { id: inWords, input: { answer: 'b' } }))).toMatchObject({
      answer: 'b',
    })
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const byForm = await asked({ ...which, config: { text: 'How many?', schema } })
    const wrong = await run(approve, { id: byForm, input: { decisionValues: { n: 'x' } } })
    expect(codes(wrong)).toEqual(['approveInboxItem invalid_input'])
    const right = await run(approve, { id: byForm, input: { decisionValues: { n: 3 } } })
    expect(only(right).decisionValues).toEqual({ n: 3 })
  })

  test('rejectInboxItem ends it, and cancelInboxItem takes it back', async () => {
    const id = await asked()
    const reject = `mutation ($id: ID!) {
      rejectInboxItem(id: $id, revision: 1, input: { reviewNotes: "No" }) { status reviewNotes }
    }`
    expect(codes(await run(reject, { id }, ANN))).toEqual(['rejectInboxItem forbidden'])
    expect(only(await run(reject, { id }))).toEqual({ status: 'REJECTED', reviewNotes: 'No' })
    const cancel = `mutation ($id: ID!) {
      cancelInboxItem(id: $id, input: { reason: "No need" }) { status reviewNotes }
    }`
    expect(codes(await run(cancel, { id }, ANN))).toEqual(['cancelInboxItem invalid_state'])
    const other = await asked()
    expect(codes(await run(cancel, { id: other }, BOB))).toEqual(['cancelInboxItem not_found'])
    expect(only(await run(cancel, { id: other }, ANN))).toMatchObject({ status: 'CANCELLED' })
  })

  test('requestRevisionInboxItem and resubmitInboxItem: the notes stay, the revision grows', async () => {
    const id = await asked()
    const revise = `mutation ($id: ID!) {
      requestRevisionInboxItem(id: $id, revision: 1, input: { reviewNotes: "Less" }) { status reviewNotes }
    }`
    const resubmit = `mutation ($id: ID!, $config: JSON, $revision: Int!) {
      resubmitInboxItem(id: $id, revision: $revision, input: { config: $config, title: "Raise it a little" }) {
        status revision title reviewNotes
        changes { path before after }
        none: changes(fromRevision: 2, toRevision: 2) { path }
        revisions { revision title description consequence config configSha256 submittedBy createdAt }
      }
    }`
    const config = { ...LIMIT, proposed: { limit: 3 } }
    expect(codes(await run(resubmit, { id, config, revision: 1 }, ANN))).toEqual([
      'resubmitInboxItem invalid_state',
    ])
    expect(only(await run(revise, { id }))).toEqual({
      status: 'REVISION_REQUESTED',
      reviewNotes: 'Less',
    })
    expect(codes(await run(resubmit, { id, config, revision: 1 }, BOB))).toEqual([
      'resubmitInboxItem not_found',
    ])
    const item = only(await run(resubmit, { id, config, revision: 1 }, ANN))
    expect(item).toMatchObject({ status: 'PENDING', revision: 2, reviewNotes: 'Less' })
    expect(item.changes).toEqual([
      { path: '/title', before: 'Raise the limit', after: 'Raise it a little' },
      { path: '/payload/proposed/limit', before: 2, after: 3 },
    ])
    expect(item.none).toEqual([])
    expect(item.revisions).toMatchObject([
      { revision: 1, title: 'Raise the limit', config: LIMIT, submittedBy: 'ann' },
      { revision: 2, title: 'Raise it a little', config },
    ])
    const without = `mutation { requestRevisionInboxItem(id: "x", revision: 1, input: {}) { id } }`
    const unsaid = await run(without)
    expect({ status: unsaid.status, data: unsaid.data }).toEqual({ status: 400, data: undefined })
  })

  test('addInboxItemComment reaches who asked, and stands with the item and in its log', async () => {
    const id = await asked()
    const say = `mutation ($id: ID!, $content: String!) {
      addInboxItemComment(input: { inboxItemId: $id, content: $content }) {
        id inboxItemId tenantId authorId content createdAt
      }
    }`
    const said = only(await run(say, { id, content: 'How high?' }))
    expect(said).toMatchObject({ inboxItemId: id, tenantId, authorId: 'user' })
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
      comments: [{ id: said.id, content: 'How high?' }, { content: 'Two.' }],
    })
    const entries = data?.activityLog as { action: string; createdAt: string }[]
    expect(entries.map(({ action }) => action)).toEqual([
      'inbox_item.created',
      'inbox_item.commented',
      'inbox_item.commented',
      'inbox_item.approved',
    ])
    expect(entries.at(-1)).toMatchObject({
      ...{ tenantId, actorId: 'user', entityType: 'inbox_item', entityId: id, revision: 1 },
      ...{ fromStatus: 'PENDING', toStatus: 'APPROVED', notes: 'So be it' },
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

  test('addInboxItemLink and removeInboxItemLink: the threads that belong to an item', async () => {
    const id = await asked()
    const work = await op(server, 'send', { to: 'bob', subject: 'Raise it' }, ANN)
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

  test('a workspace review is decided by its run: accepted, handed back, cancelled', async () => {
    let reviews = 0
    /** Ann's run is paused for a review, and these are their names. */
    async function paused(more: object = {}) {
      const reviewId = `review-${engine}-${++reviews}`
      const review = { review: reviewId, title: 'New index', body: 'I add an index.', ...more }
      const { body } = await op(server, 'request-review', review, ANN)
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
      ...{ id: runId, tenantId, agentId: 'ann', status: 'RUNNING', reviewId, ...input },
      reviewStatus: 'REVISION_REQUESTED',
      inboxItem: { id: first.item, type: 'workspace_review', entityId: runId },
    })
    // A later review of the same run takes the place of the first, whose decider finds that out.
    const second = await paused({ agent_run: runId })
    const stale = await run(accept, first)
    expect(codes(stale)).toEqual(['acceptAgentWorkspaceReview invalid_state'])
    expect(stale.errors[0]?.message).toContain(`is at review "${second.reviewId}"`)
    expect(only(await run(accept, second))).toMatchObject({
      ...{ status: 'RUNNING', reviewStatus: 'APPROVED', inboxItem: { status: 'APPROVED' } },
    })
    const third = await paused({ agent_run: runId })
    const cancel = decide('cancelAgentWorkspaceReview')
    expect(only(await run(cancel, { ...third, input }))).toMatchObject({
      ...{ status: 'CANCELLED', reviewStatus: 'REJECTED', ...input },
    })
    expect(codes(await run(cancel, third))).toEqual(['cancelAgentWorkspaceReview invalid_state'])
    // A decision on the item moves the run as well.
    const fourth = await paused()
    const approve = `mutation ($item: ID!) {
      approveInboxItem(id: $item, revision: 1) { status agentWorkspaceRun { id status } }
    }`
    expect(only(await run(approve, fourth))).toEqual({
      status: 'APPROVED',
      agentWorkspaceRun: { id: fourth.runId, status: 'RUNNING' },
    })
  })

  test('inboxItems filters and pages, and inboxItemPage counts, to those who may see', async () => {
    const type = `t${engine}`
    const ids: string[] = []
    for (const title of ['Alpha', 'Beta', 'Gamma']) {
      ids.unshift(await asked({ type, title, entityType: 'run', entityId: title }))
    }
    await run(`mutation ($id: ID!) { rejectInboxItem(id: $id, revision: 1) { id } }`, {
      id: ids[0],
    })
    const list = `query ($tab: InboxItemTab, $status: InboxItemStatus, $type: String, $title: String, $requesterId: ID, $recipientId: ID,
      $mine: Boolean, $entityType: String, $entityId: ID, $before: ID, $limit: Int, $tenantId: ID) {
      inboxItems(tab: $tab, status: $status, type: $type, title: $title, requesterId: $requesterId, recipientId: $recipientId,
        mine: $mine, entityType: $entityType, entityId: $entityId, before: $before, limit: $limit,
        tenantId: $tenantId) { title status }
    }`
    const titles = async (filter: object, visit: Visit = {}) =>
      (only(await run(list, { type, ...filter }, visit)) as unknown as { title: string }[]).map(
        ({ title }) => title,
      )
    expect(await titles({})).toEqual(['Gamma', 'Beta', 'Alpha'])
    expect(await titles({ tenantId })).toHaveLength(3)
    expect(await titles({ tab: 'PENDING' })).toEqual(['Beta', 'Alpha'])
    expect(await titles({ tab: 'RESOLVED' })).toEqual(['Gamma'])
    expect(await titles({ status: 'REJECTED' })).toEqual(['Gamma'])
    expect(await titles({ status: 'PENDING', tab: 'RESOLVED' })).toEqual(['Beta', 'Alpha'])
    expect(await titles({ status: 'REVISION_REQUESTED' })).toEqual([])
    expect(await titles({ title: 'ET' })).toEqual(['Beta'])
    expect(await titles({ requesterId: 'bob' })).toEqual([])
    expect(await titles({ recipientId: 'user' })).toEqual([])
    expect(await titles({ entityType: 'run', entityId: 'Alpha' })).toEqual(['Alpha'])
    expect(await titles({ mine: true }, ANN)).toHaveLength(3)
    expect(await titles({}, BOB)).toEqual([])
    expect(await titles({ limit: 2 })).toEqual(['Gamma', 'Beta'])
    const page = `query ($before: ID, $type: String) {
      inboxItemPage(type: $type, limit: 2, before: $before) {
        items { id config } hasMore nextBefore pending resolved types { type count }
      }
    }`
    const first = only(await run(page, { type }))
    expect(first).toMatchObject({ hasMore: true, nextBefore: ids[1], pending: 2, resolved: 1 })
    expect(first.types).toContainEqual({ type, count: 3 })
    expect(first.items).toMatchObject([{ id: ids[0], config: LIMIT }, { id: ids[1] }])
    const second = only(await run(page, { type, before: first.nextBefore }))
    expect(second).toMatchObject({ hasMore: false, nextBefore: null, items: [{ id: ids[2] }] })
    const nulls = `{ inboxItems(type: "${type}", tenantId: null, status: null, title: null, mine: null, before: null) { id } }`
    expect((await run(nulls)).errors).toEqual([])
    for (const bad of [{ limit: 501 }, { limit: 0 }]) {
      expect(codes(await run(list, bad))).toEqual(['inboxItems invalid_input'])
    }
    const many = `{ inboxItems(limit: 51) { id ...More } } fragment More on InboxItem { comments { id } }`
    const refused = await run(many)
    expect(codes(refused)).toEqual(['inboxItems invalid_input'])
    expect(refused.errors[0]?.message).toContain('at most 50')
  })

  test('another tenant, and an item that is not yours to see, are not found', async () => {
    const id = await asked()
    const look = `query ($id: ID!, $tenantId: ID) { inboxItem(id: $id, tenantId: $tenantId) { id } }`
    expect(codes(await run(look, { id }, BOB))).toEqual(['inboxItem not_found'])
    expect(codes(await run(look, { id: 'req_none' }))).toEqual(['inboxItem not_found'])
    const foreign = { tenantId: 'sto_other' }
    expect(codes(await run(look, { id, ...foreign }))).toEqual(['inboxItem not_found'])
    const rest = `query ($tenantId: ID, $id: ID!) {
      inboxItems(tenantId: $tenantId) { id }
      inboxItemPage(tenantId: $tenantId) { pending }
      activityLog(tenantId: $tenantId, entityId: $id) { id }
      own: inboxItem(id: $id) { id }
    }`
    const { data, errors } = await run(rest, { id, ...foreign })
    expect(errors.map(({ extensions }) => extensions)).toEqual(
      Array(3).fill({ code: 'not_found', status: 404, details: {} }),
    )
    // The fields beside those that fail are answered.
    expect(data).toMatchObject({ inboxItems: null, activityLog: null, own: { id } })
    const made = await run(CREATE, { input: { ...RAISE, ...foreign } }, ANN)
    expect(codes(made)).toEqual(['createInboxItem not_found'])
  })

  test('a service sees all, and decides if a person granted it; a limited token sees what it is for', async () => {
    const id = await asked()
    const service = { token: await tokenFor(server, { name: 'ci', service: true }) }
    const look = `query ($id: ID!) { inboxItem(id: $id) { id config } }`
    expect(only(await run(look, { id }, service))).toMatchObject({ id })
    const approve = `mutation ($id: ID!) { approveInboxItem(id: $id, revision: 1) { status } }`
    expect(codes(await run(approve, { id }, service))).toEqual(['approveInboxItem forbidden'])
    const desk = await tokenFor(server, { name: 'desk', service: true, may: ['decide'] })
    const own = await asked()
    const byDesk = only(
      await run(
        `mutation ($id: ID!) { approveInboxItem(id: $id, revision: 1) { status decidedBy } }`,
        { id: own },
        { token: desk },
      ),
    )
    expect(byDesk).toEqual({ status: 'APPROVED', decidedBy: 'desk' })
    const person = { token: await tokenFor(server, { name: 'user' }) }
    const limited = { token: await tokenFor(server, { name: 'ann', sets: ['mailbox'] }) }
    expect(codes(await run(look, { id }, limited))).toEqual(['inboxItem forbidden'])
    expect(only(await run(approve, { id }, person))).toEqual({ status: 'APPROVED' })
  })

  test('an agent that is told to stop hears it with every answer, until it has read it', async () => {
    const name = `dan${engine}`
    await op(server, 'agent-register', { agent: name })
    await op(server, 'mail-send', { to: name, type: 'cancel', subject: 'Stop', body: 'Now' })
    const look = async () =>
      JSON.parse((await run('{ inboxItems { id } }', {}, { as: name })).text).extensions
    const { stop } = await look()
    expect(stop).toMatchObject({ from: 'user', subject: 'Stop', about: 'agent' })
    expect(await look()).toEqual({ stop })
    const unknown = await run('{ inboxItem(id: "req_none") { id } }', {}, { as: name })
    expect(unknown.errors[0]).toMatchObject({
      message: expect.stringContaining('STOP: user says "Stop"'),
      extensions: { code: 'not_found', details: { stop } },
    })
    await op(server, 'mail-mark-read', { messages: [stop.id] }, { as: name })
    expect(await look()).toBeUndefined()
  })

  test('a list costs one look, and a look at each item only where a field needs it', async () => {
    const type = `n${engine}`
    for (let n = 0; n < 5; n++) await asked({ type, title: `Item ${n}` })
    const light = `id tenantId type status title revision requesterId recipientId entityType entityId workspaceId risk
      policy deciders editable configSha256 decidedBy decidedAt expiresAt createdAt`
    const whole = 'description config comments { id } activity { id } updatedAt actions'
    const lists = (count: number, fields: string) => {
      const all = Array.from({ length: count }, (_, n) => {
        return `a${n}: inboxItems(type: "${type}") { ...F }`
      })
      return `{ ${all.join(' ')} } fragment F on InboxItem { ${fields} }`
    }
    // Twenty lists of five would be a hundred looks more, and no document may have so many.
    expect((await run(lists(20, light))).errors).toEqual([])
    const many = await run(lists(20, whole))
    expect(many.errors.length).toBeGreaterThan(0)
    expect(many.errors[0]).toMatchObject({
      message: expect.stringContaining('more than 100 things at once'),
      extensions: { code: 'invalid_input' },
    })
    // Four lists of five are twenty looks more, however many fields of an item need one.
    expect((await run(lists(4, whole))).errors).toEqual([])
  })
})
