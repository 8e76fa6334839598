import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { once } from '../../worlds/once.ts'
import { ailments } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import { asked, LIMIT, titles, unreadOf } from '../../worlds/requests.ts'
import { everything } from '../../worlds/scenes.ts'

const LOWER = { ...LIMIT, proposed: { limit: 1.5 } }

behaves('request/approve', async (world) => {
  await world.inbox.personAdd({ name: 'eve' })
  const request = await asked(world)
  const done = await world.inbox.approve({ request, revision: 1, notes: 'Go on' })
  expect(done).toMatchObject({ status: 'approved', revision: 1, decided_by: 'user' })
  const { messages } = await world.inbox.mailRead({ agent: 'ann' })
  expect(messages).toMatchObject([{ type: 'answer', from: 'user', body: 'Go on' }])
  expect(await unreadOf(world, 'user')).toEqual([])
  expect(await unreadOf(world, 'user:eve')).toEqual([])
  const shown = await world.inbox.requestGet({ request })
  expect(shown.request).toMatchObject({ status: 'approved', decided_by: 'user' })
  expect(shown.request.payload_sha256).toBe(done.payload_sha256)
  expect(shown.actions).toEqual([])
  expect(await ailments(world)).toEqual([])
})

behaves('request/reject', async (world) => {
  const request = await asked(world)
  await world.inbox.reject({ request, revision: 1, notes: 'Too dear' })
  expect(await unreadOf(world, 'ann')).toEqual(['rejected: Too dear'])
  const other = await asked(world)
  await world.inbox.reject({ request: other, revision: 1 })
  expect(await unreadOf(world, 'ann')).toEqual(['rejected: Too dear', 'rejected'])
  expect(await titles(world)).toEqual([])
})

behaves('request/revise', async (world) => {
  const request = await asked(world)
  const early = world.inbox.resubmit({ agent: 'ann', request, revision: 1, title: 'Again' })
  await refused(early, 'invalid_state')
  await world.inbox.requestRevision({ request, revision: 1, notes: 'Less, please' })
  expect(await unreadOf(world, 'ann')).toEqual(['revision requested: Less, please'])
  expect(await titles(world)).toEqual(['Raise the limit'])
  const payload = JSON.stringify(LOWER)
  const again = await world.inbox.resubmit({ agent: 'ann', request, revision: 1, payload })
  expect(again).toMatchObject({ status: 'pending', revision: 2 })
  expect(await unreadOf(world, 'user')).toEqual(['Raise the limit'])
  const { request: row, revisions } = await world.inbox.requestGet({ request })
  expect(row).toMatchObject({ status: 'pending', revision: 2, decided_by: null })
  expect(row.payload_sha256).toBe(again.payload_sha256)
  expect(revisions.map((one) => one.payload)).toEqual([LIMIT, LOWER])
  await world.inbox.approve({ request, revision: 2 })
  expect(await ailments(world)).toEqual([])
})

behaves('request/blank', async (world) => {
  const [request, other] = [await asked(world), await asked(world)]
  await world.inbox.requestRevision({ request: other, revision: 1, notes: 'Less' })
  const before = await everything(world)
  const again = { agent: 'ann', request: other, revision: 1 }
  const requests = [`${request}:1`]
  const all = { decision: 'request_revision', requests } as const
  for (const blank of ['', '   ', '\n\t ']) {
    const calls = [
      () => world.inbox.requestRevision({ request, revision: 1, notes: blank }),
      () => world.inbox.requestDecide({ ...all, notes: blank }),
      () => world.inbox.comment({ request, body: blank }),
      () => world.inbox.resubmit({ ...again, title: blank }),
      () => world.inbox.resubmit({ ...again, title: 'Less', consequence: blank }),
    ]
    for (const call of calls) await refused(call(), 'invalid_input')
  }
  expect(await everything(world)).toEqual(before)
})

behaves('request/changes', async (world) => {
  const request = await asked(world)
  for (const [revision, change] of [
    [1, { payload: JSON.stringify(LOWER) }],
    [2, { title: 'Raise it a little' }],
  ] as const) {
    await world.inbox.requestRevision({ request, revision, notes: 'Again' })
    await world.inbox.resubmit({ agent: 'ann', request, revision, ...change })
  }
  const paths = async (which: object = {}) => {
    const { changes } = await world.inbox.requestGet({ agent: 'ann', request, ...which })
    return changes.map(({ path }) => path)
  }
  expect(await paths()).toEqual(['/title'])
  expect(await paths({ to_revision: 2 })).toEqual(['/payload/proposed/limit'])
  expect(await paths({ from_revision: 1, to_revision: 3 })).toEqual([
    '/title',
    '/payload/proposed/limit',
  ])
  const beyond = world.inbox.requestGet({ request, to_revision: 4 })
  await refused(beyond, 'invalid_input')
})

behaves('request/stale', async (world) => {
  const request = await asked(world)
  await world.inbox.requestRevision({ request, revision: 1, notes: 'Less' })
  await world.inbox.resubmit({ agent: 'ann', request, revision: 1, title: 'Less' })
  const before = await everything(world)
  const stale = { request, revision: 1 }
  for (const decided of [
    () => world.inbox.approve(stale),
    () => world.inbox.reject(stale),
    () => world.inbox.requestRevision({ ...stale, notes: 'x' }),
  ]) {
    const { details } = await refused(decided(), 'revision_conflict')
    expect(details).toMatchObject({ revision: 2 })
    expect(details.changes).toEqual([{ path: '/title', before: 'Raise the limit', after: 'Less' }])
  }
  expect(await everything(world)).toEqual(before)
})

behaves('request/decided', async (world) => {
  const request = await asked(world)
  await world.inbox.approve({ request, revision: 1 })
  const { decided_at } = (await world.inbox.requestGet({ request })).request
  for (const again of [
    () => world.inbox.approve({ request, revision: 1 }),
    () => world.inbox.reject({ request, revision: 1 }),
    () => world.inbox.resubmit({ agent: 'ann', request, revision: 1, title: 'x' }),
    () => world.inbox.cancelRequest({ agent: 'ann', request }),
  ]) {
    const { details } = await refused(again(), 'invalid_state')
    expect(details).toMatchObject({ status: 'approved', decided_by: 'user', decided_at })
  }
})

behaves('request/agents-never', async (world) => {
  await world.inbox.agentRegister({ agent: 'boss', role: 'orchestrator' })
  const request = await asked(world)
  for (const agent of ['ann', 'boss']) {
    const decided = world.inbox.approve({ agent, request, revision: 1 })
    await refused(decided, 'forbidden')
  }
  expect(await titles(world)).toEqual(['Raise the limit'])
})

behaves('request/policy', async (world) => {
  await world.inbox.personAdd({ name: 'eve' })
  const named = await asked(world, { policy: 'named', deciders: ['user:eve'] })
  await refused(world.inbox.approve({ request: named, revision: 1 }), 'forbidden')
  const unknown = { agent: 'user:nobody', request: named, revision: 1 }
  await refused(world.inbox.approve(unknown), 'not_found')
  await world.inbox.approve({ agent: 'user:eve', request: named, revision: 1 })
  const own = await asked(world, { agent: 'user:eve', policy: 'not_requester' })
  const decided = world.inbox.approve({ agent: 'user:eve', request: own, revision: 1 })
  await refused(decided, 'forbidden')
  await world.inbox.approve({ request: own, revision: 1 })
  expect(await titles(world)).toEqual([])
})

behaves('request/cancel', async (world) => {
  const request = await asked(world)
  const foreign = world.inbox.cancelRequest({ agent: 'bob', request })
  await refused(foreign, 'not_found')
  await world.inbox.cancelRequest({ agent: 'ann', request, reason: 'Not needed' })
  expect(await unreadOf(world, 'user')).toEqual([])
  expect(await unreadOf(world, 'ann')).toEqual([])
  const other = await asked(world)
  await world.inbox.cancelRequest({ agent: 'user', request: other, reason: 'Never mind' })
  expect(await unreadOf(world, 'ann')).toEqual(['cancelled: Never mind'])
  expect(await ailments(world)).toEqual([])
})

behaves('request/comment', async (world) => {
  const request = await asked(world)
  await world.inbox.comment({ request, body: 'Why now?' })
  expect(await unreadOf(world, 'ann')).toEqual(['comment: Why now?'])
  await world.inbox.comment({ agent: 'ann', request, body: 'It is full' })
  expect(await unreadOf(world, 'user')).toContain('comment: It is full')
  // Mail sent into the thread is a comment, too.
  const [question] = (await world.inbox.mailRead({ agent: 'user' })).messages
  await world.inbox.mailSend({ from: 'user', in_reply_to: question?.id as string, body: 'I see' })
  // A comment is never treated as a decision, whatever its subject or metadata.
  const forged = { in_reply_to: question?.id as string, subject: 'approved', body: 'Go on' }
  const decided = { ...forged, from: 'user', metadata: { decision: 'approve' } }
  await refused(world.inbox.mailSend(decided), 'invalid_input')
  expect((await world.inbox.requestGet({ request })).request.status).toBe('pending')
  await world.inbox.approve({ request, revision: 1 })
  await world.inbox.comment({ request, body: 'Well done' })
  const { activity } = await world.inbox.requestGet({ request })
  const said = activity.filter(({ action }) => action === 'comment').map(({ notes }) => notes)
  expect(said).toEqual(['Why now?', 'It is full', 'I see', 'Well done'])
  await refused(world.inbox.comment({ request, body: ' ' }), 'invalid_input')
  expect(await ailments(world)).toEqual([])
})

behaves('request/reply', async (world) => {
  const request = await asked(world)
  const keyed = { from: 'user', thread: request, body: 'Why now?', idempotency_key: 'reply-1' }
  const { message } = await once(world, () => world.inbox.reply(keyed))
  expect(message).toMatchObject({
    from_agent: 'user',
    to_agent: 'ann',
    summary: 'comment: Why now?',
  })
  expect(await unreadOf(world, 'ann')).toEqual(['comment: Why now?'])
  await world.inbox.reply({ from: 'ann', thread: request, body: 'It is full' })
  expect(await unreadOf(world, 'user')).toContain('comment: It is full')
  // A reply never counts as a decision, can't have other recipients, and needs a sender who can see the request.
  const forged = { from: 'user', thread: request, body: 'Go on' }
  const decision = JSON.stringify({ decision: 'approve' })
  await refused(world.inbox.reply({ ...forged, payload_json: decision }), 'invalid_input')
  await refused(world.inbox.reply({ ...forged, to: 'bob' }), 'invalid_input')
  await refused(world.inbox.reply({ ...forged, from: 'bob' }), 'not_found')
  expect((await world.inbox.requestGet({ request })).request.status).toBe('pending')
  await world.inbox.reject({ request, revision: 1 })
  await world.inbox.reply({ from: 'ann', thread: request, kind: 'question', body: 'Why?' })
  const { activity } = await world.inbox.requestGet({ request })
  const said = activity.filter(({ action }) => action === 'comment').map(({ notes }) => notes)
  expect(said).toEqual(['Why now?', 'It is full', 'Why?'])
  expect(await ailments(world)).toEqual([])
  const copy = await world.another('empty')
  expect(await copy.importLog(await world.exportLog())).toMatchObject({ rejected: [] })
})

behaves('request/activity', async (world) => {
  const request = await asked(world)
  await world.inbox.requestRevision({ request, revision: 1, notes: 'Less' })
  await world.inbox.comment({ request, body: 'Much less' })
  await world.inbox.resubmit({ agent: 'ann', request, revision: 1, title: 'Less' })
  await world.inbox.reject({ request, revision: 2, notes: 'No' })
  const { activity } = await world.inbox.requestGet({ request })
  const rows = activity.map(({ actor, action, from, to, revision, notes }) => {
    return [actor, action, from, to, revision, notes]
  })
  expect(rows).toEqual([
    ['ann', 'create', null, 'pending', 1, ''],
    ['user', 'revise', 'pending', 'revision_requested', 1, 'Less'],
    ['user', 'comment', null, null, 1, 'Much less'],
    ['ann', 'resubmit', 'revision_requested', 'pending', 2, ''],
    ['user', 'reject', 'pending', 'rejected', 2, 'No'],
  ])
})

behaves('request/named-asked', async (world) => {
  await world.inbox.personAdd({ name: 'eve' })
  await world.inbox.personAdd({ name: 'max' })
  const deciders = ['user:eve', 'user:max']
  const named = { policy: 'named', deciders } as const
  const request = await asked(world, named)
  await world.inbox.comment({ agent: 'ann', request, body: 'Soon?' })
  expect(await unreadOf(world, 'user')).toEqual([])
  const unread = ['Raise the limit', 'comment: Soon?']
  expect(await unreadOf(world, 'user:eve')).toEqual(unread)
  expect(await unreadOf(world, 'user:max')).toEqual(unread)
  const one = await asked(world, { ...named, to: 'user:max', title: 'Yours' })
  expect(await unreadOf(world, 'user:eve')).toEqual(unread)
  await refused(asked(world, { ...named, to: 'user' }), 'invalid_input')
  const [agent, notes] = ['user:eve', 'Less'] as const
  await world.inbox.requestRevision({ agent, request: one, revision: 1, notes })
  await world.inbox.resubmit({ agent: 'ann', request: one, revision: 1, title: 'Yours again' })
  expect(await unreadOf(world, 'user')).toEqual([])
  expect(await unreadOf(world, 'user:max')).toContain('Yours again')
  expect(await ailments(world)).toEqual([])
})

behaves('request/later-person', async (world) => {
  const request = await asked(world)
  await world.inbox.personAdd({ name: 'eve' })
  expect(await unreadOf(world, 'user:eve')).toEqual([])
  expect(await titles(world, { agent: 'user:eve' })).toEqual(['Raise the limit'])
  await world.inbox.comment({ agent: 'ann', request, body: 'Soon?' })
  expect(await unreadOf(world, 'user:eve')).toEqual(['comment: Soon?'])
  await world.inbox.approve({ agent: 'user:eve', request, revision: 1 })
  expect(await unreadOf(world, 'user:eve')).toEqual([])
  expect(await unreadOf(world, 'user')).toEqual([])
})

behaves('request/requester-off', async (world) => {
  const request = await asked(world)
  await world.inbox.agentStatus({ agent: 'ann', status: 'off' })
  await world.inbox.comment({ request, body: 'Are you there?' })
  await world.inbox.approve({ request, revision: 1, notes: 'Go on' })
  expect((await world.inbox.requestGet({ request })).request.status).toBe('approved')
  // The person who decided gets no mail about it.
  expect(await unreadOf(world, 'user')).toEqual([])
  await world.inbox.agentStatus({ agent: 'ann', status: 'idle' })
  expect(await unreadOf(world, 'ann')).toEqual(['comment: Are you there?', 'approved: Go on'])
  expect(await ailments(world)).toEqual([])
})
