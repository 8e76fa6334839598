// Creating and deciding inbox items over GraphQL, on a real server, on both engines.

import { expect, test } from 'bun:test'
import { LIMIT } from '../worlds/requests.ts'
import { ANN, BOB, CREATE, codes, type GraphServer, onBothEngines, only, RAISE } from './graph.ts'
import { op } from './serving.ts'

onBothEngines((engine, here) => {
  const run: GraphServer['run'] = (...asked) => here.run(...asked)
  const asked: GraphServer['asked'] = (...input) => here.asked(...input)

  test('createInboxItem creates one request per key, in the caller’s name', async () => {
    const { tenantId } = here
    const input = {
      type: 'config_change',
      title: 'Lower it',
      description: 'Why',
      config: LIMIT,
      tenantId,
      consequence: 'It is slower.',
      entityType: 'service',
      entityId: 'api',
      risk: 'HIGH',
      policy: 'NAMED',
      deciders: ['user'],
      editable: true,
      recipientId: 'user',
      requesterId: 'ann',
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

  test('config can be written inline, as an object or as JSON', async () => {
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

  test('approveInboxItem approves the given revision once', async () => {
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
    const call = { id, revision: 1, input: { reviewNotes: 'Fine' }, key: crypto.randomUUID() }
    const done = only(await run(approve, call))
    expect(done).toMatchObject({ status: 'APPROVED', decidedBy: 'user', reviewNotes: 'Fine' })
    expect(done.config).toEqual(LIMIT)
    expect(only(await run(approve, call))).toEqual(done)
    const again = await run(approve, { id, revision: 1 })
    expect(codes(again)).toEqual(['approveInboxItem invalid_state'])
    expect(again.errors[0]?.extensions.details).toMatchObject({ decided_by: 'user' })
    expect((await op(here.server, 'mail-peek', {}, ANN)).text).toContain('approved: Fine')
  })

  test('of 50 concurrent decisions one succeeds, and the others learn who decided', async () => {
    const id = await asked()
    const decide = (n: number) => {
      const field = n % 2 === 0 ? 'approveInboxItem' : 'rejectInboxItem'
      return run(`mutation ($id: ID!) { ${field}(id: $id, revision: 1) { decidedBy } }`, { id })
    }
    const all = await Promise.all(Array.from({ length: 50 }, (_, n) => decide(n)))
    const refused = all.flatMap(({ errors }) => errors)
    expect(refused).toHaveLength(49)
    for (const { extensions } of refused) {
      expect(extensions).toMatchObject({ code: 'invalid_state', details: { decided_by: 'user' } })
    }
  })

  test('a decision with a grace period is held, and undoInboxItemDecision undoes it', async () => {
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

  test('an item with a deadline shows it, and what happens then', async () => {
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

  test('an effect shows its state', async () => {
    const type = `effect-${engine}`
    await op(here.server, 'request-effect', { type, command: '["/no/such/program"]' })
    const id = await asked({ type })
    const approve = `mutation ($id: ID!) {
      approveInboxItem(id: $id, revision: 1) { effect { state attempt queuedAt startedAt endedAt exitCode reason } }
    }`
    const { effect } = only(await run(approve, { id })) as { effect: Record<string, unknown> }
    expect(effect).toMatchObject({ attempt: 1, queuedAt: expect.any(String) })
    expect(['waiting', 'running', 'failed']).toContain(effect.state as string)
  })

  test('an approval can edit an editable config, or answer a question', async () => {
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

  test('rejectInboxItem ends an item, and cancelInboxItem withdraws it', async () => {
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

  test('requestRevisionInboxItem keeps the notes, and resubmitInboxItem adds a revision', async () => {
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
})
