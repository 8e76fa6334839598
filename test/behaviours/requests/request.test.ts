import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { once } from '../../worlds/once.ts'
import { ailments } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import { asked, LIMIT, titles, unreadOf } from '../../worlds/requests.ts'

behaves('request/created', async (world) => {
  await world.inbox.personAdd({ name: 'eve' })
  const made = await world.inbox.requestCreate({
    agent: 'ann',
    type: 'config_change',
    title: 'Raise the limit',
    description: 'The old one is too low.',
    payload: JSON.stringify(LIMIT),
    consequence: 'Everybody may call twice as often.',
    risk: 'medium',
  })
  expect(made).toMatchObject({ status: 'pending', revision: 1 })
  const { request, revisions, actions } = await world.inbox.requestGet({ request: made.request_id })
  expect(request).toMatchObject({
    type: 'config_change',
    title: 'Raise the limit',
    requester: 'ann',
    recipient: '',
    risk: 'medium',
    policy: 'human_only',
    decided_by: null,
    decided_at: null,
  })
  expect(revisions).toMatchObject([
    { revision: 1, payload: LIMIT, consequence: 'Everybody may call twice as often.', by: 'ann' },
  ])
  expect(actions).toEqual(['approve', 'reject', 'request_revision', 'cancel'])
  for (const person of ['user', 'user:eve']) {
    expect(await unreadOf(world, person)).toEqual(['Raise the limit'])
  }
  expect((await world.inbox.fetch({ agent: 'ann' })).threads).toEqual([])
  expect((await world.inbox.claim({ agent: 'ann' })).thread).toBeNull()
  expect((await world.inbox.list({})).threads).toEqual([])
  const claimed = world.inbox.claim({ agent: 'ann', thread: made.request_id })
  await refused(claimed, 'invalid_state')
  expect(await ailments(world)).toEqual([])
})

behaves('request/bad-input', async (world) => {
  await refused(asked(world, { to: 'bob' }), 'invalid_input')
  await refused(asked(world, { to: 'user:eve' }), 'not_found')
  await refused(asked(world, { payload: '[1]' }), 'invalid_input')
  await refused(asked(world, { policy: 'named' }), 'invalid_input')
  await refused(asked(world, { deciders: ['user'] }), 'invalid_input')
  await refused(asked(world, { title: '' }), 'invalid_input')
  // People see each of these on one line when they decide, so a value must not forge a second line.
  for (const forged of ['chore\nstatus  approved', 'chore\u001b[2K', 'chore\u2028a', 'a\r']) {
    await refused(asked(world, { type: forged }), 'invalid_input')
    await refused(asked(world, { entity_type: forged, entity_id: '1' }), 'invalid_input')
    await refused(asked(world, { entity_type: 'pull', entity_id: forged }), 'invalid_input')
    await refused(asked(world, { consequence: forged }), 'invalid_input')
  }
  expect(await titles(world)).toEqual([])
})

behaves('request/digest', async (world) => {
  const digests = []
  for (const payload of [
    '{"b":[1,2.0],"a":"é"}',
    '{ "a": "\\u00e9",\n "b": [1.0, 2] }',
    '{"a":1}',
  ]) {
    const request = await asked(world, { type: 'chore', payload })
    digests.push((await world.inbox.requestGet({ request })).request.payload_sha256)
  }
  expect(digests[0]).toBe(digests[1] as string)
  expect(digests[0]).not.toBe(digests[2] as string)
  // Computed independently, over {"a":"é","b":[1,2]} in UTF-8.
  expect(digests[0]).toBe('9cfb1f938a87f2b8f3b8cc429c7a09116d54f048322742d4c23d4767b85f85da')
})

behaves('request/key', async (world) => {
  const idempotency_key = 'try-1'
  const want = { agent: 'ann', type: 'chore', title: 'Which one?', idempotency_key }
  const { request_id: request } = await once(world, () => world.inbox.requestCreate(want))
  await once(world, () =>
    world.inbox.comment({ agent: 'ann', request, body: 'Hm', idempotency_key: 'try-3' }),
  )
  const notes = 'Say more'
  const move = { request, revision: 1, idempotency_key: 'try-2' }
  await once(world, () => world.inbox.requestRevision({ ...move, notes }))
  const more = { agent: 'ann', request, revision: 1, title: 'Which of two?' }
  await once(world, () => world.inbox.resubmit({ ...more, idempotency_key: 'try-2' }))
  const other = await asked(world)
  await once(world, () => world.inbox.reject({ request: other, revision: 1, idempotency_key: 'r' }))
  await once(world, () => world.inbox.approve({ request, revision: 2, idempotency_key: 'a' }))
  const third = { agent: 'ann', request: await asked(world), idempotency_key: 'c' }
  await once(world, () => world.inbox.cancelRequest(third))
  const linked = { agent: 'ann', request, thread: third.request }
  await once(world, () => world.inbox.requestLink({ ...linked, idempotency_key: 'l' }))
  await once(world, () => world.inbox.requestUnlink({ ...linked, idempotency_key: 'u' }))
  expect((await world.inbox.requestList({ tab: 'all' })).requests).toHaveLength(3)
})

behaves('request/list', async (world) => {
  await asked(world, { title: 'One', entity_type: 'service', entity_id: 'api' })
  await world.clock.advance(1)
  await asked(world, { title: 'Two hundred', type: 'chore', agent: 'bob' })
  await world.clock.advance(1)
  const three = await asked(world, { title: 'Three', to: 'user' })
  await world.inbox.reject({ request: three, revision: 1 })
  expect(await titles(world)).toEqual(['Two hundred', 'One'])
  expect(await titles(world, { tab: 'resolved' })).toEqual(['Three'])
  expect(await titles(world, { tab: 'all' })).toEqual(['Three', 'Two hundred', 'One'])
  expect(await titles(world, { status: 'rejected' })).toEqual(['Three'])
  expect(await titles(world, { status: 'pending', tab: 'resolved' })).toHaveLength(2)
  expect(await titles(world, { type: 'chore' })).toEqual(['Two hundred'])
  expect(await titles(world, { title: 'HUND' })).toEqual(['Two hundred'])
  expect(await titles(world, { title: '%' })).toEqual([])
  expect(await titles(world, { entity_type: 'service', entity_id: 'api' })).toEqual(['One'])
  expect(await titles(world, { from: 'bob' })).toEqual(['Two hundred'])
  expect(await titles(world, { tab: 'all', mine: true })).toEqual(['Three'])
  const page = await world.inbox.requestList({ tab: 'all', limit: 2 })
  expect(page).toMatchObject({ has_more: true, pending: 2, resolved: 1 })
  expect(page.types).toEqual([
    { type: 'chore', count: 1 },
    { type: 'config_change', count: 2 },
  ])
  expect(page.counts_cut).toBe(false)
  // On both tabs, the counts include only what the filter matches.
  const found = await world.inbox.requestList({ title: 'THREE', limit: 1 })
  expect(found).toMatchObject({ has_more: false, cut: false, pending: 0, resolved: 1, types: [] })
  expect(await titles(world, { tab: 'all', title: 'o', limit: 1 })).toEqual(['Two hundred'])
  for (const bad of [{ entity_id: 'api' }, { before: 'req_none' }]) {
    await refused(world.inbox.requestList(bad), 'invalid_input')
  }
  const before = page.next_before as string
  expect(await titles(world, { tab: 'all', limit: 2, before })).toEqual(['One'])
})

behaves('request/soonest', async (world) => {
  const ask = async (title: string, expires_seconds?: number) => {
    await asked(world, { title, ...(expires_seconds === undefined ? {} : { expires_seconds }) })
    await world.clock.advance(1)
  }
  await ask('Never one')
  await ask('Later', 9000)
  await ask('Never two')
  await ask('Soon', 600)
  const wanted = ['Soon', 'Later', 'Never one', 'Never two']
  expect(await titles(world, { soonest_first: true })).toEqual(wanted)
  expect(await titles(world, { soonest_first: true, type: 'config_change' })).toEqual(wanted)
  const seen: string[] = []
  for (let before: string | undefined; ; ) {
    const page = await world.inbox.requestList({ soonest_first: true, limit: 1, before })
    seen.push(...page.requests.map(({ title }) => title))
    if (page.next_before === null) break
    before = page.next_before
  }
  expect(seen).toEqual(wanted)
  const never = { soonest_first: true, title: 'E' }
  expect(await titles(world, never)).toEqual(['Later', 'Never one', 'Never two'])
  for (const other of [{ tab: 'resolved' as const }, { status: 'expired' as const }]) {
    await refused(world.inbox.requestList({ soonest_first: true, ...other }), 'invalid_input')
  }
})

behaves('request/narrowed', async (world) => {
  await asked(world, { title: 'Low', risk: 'low' })
  await world.clock.advance(1)
  const high = await asked(world, { title: 'High', risk: 'high' })
  await world.clock.advance(1)
  await asked(world, { title: 'Unsaid' })
  expect(await titles(world, { risk: 'low' })).toEqual(['Low'])
  expect(await titles(world, { risk: 'high', title: 'ig' })).toEqual(['High'])
  expect(await titles(world, { risk: 'critical' })).toEqual([])
  expect(await titles(world, { risk: 'high', soonest_first: true })).toEqual(['High'])
  const low = await world.inbox.requestList({ risk: 'low', tab: 'resolved' })
  expect(low).toMatchObject({ pending: 1, resolved: 0, counts_cut: false })
  const { thread } = await world.inbox.send({ from: 'ann', to: 'bob', subject: 'The work' })
  await world.inbox.requestLink({ agent: 'user', request: high, thread: thread.thread_id })
  expect(await titles(world, { tab: 'all', thread: thread.thread_id })).toEqual(['High'])
  expect(await titles(world, { tab: 'resolved', thread: thread.thread_id })).toEqual([])
  // A nearly identical id finds nothing.
  const near = thread.thread_id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  expect(await titles(world, { tab: 'all', thread: near })).toEqual([])
  // An agent that didn't ask can't find the request.
  expect(await titles(world, { agent: 'bob', tab: 'all', thread: thread.thread_id })).toEqual([])
})

behaves('request/visible', async (world) => {
  await world.inbox.agentRegister({ agent: 'boss', role: 'orchestrator' })
  const request = await asked(world)
  for (const agent of ['user', 'ann', 'boss']) {
    expect(await titles(world, { agent })).toEqual(['Raise the limit'])
    expect((await world.inbox.requestGet({ agent, request })).request.title).toBe('Raise the limit')
  }
  expect(await titles(world, { agent: 'bob' })).toEqual([])
  expect(await titles(world, { agent: 'bob', from: 'ann' })).toEqual([])
  const looked = world.inbox.requestGet({ agent: 'bob', request })
  await refused(looked, 'not_found')
  await refused(world.inbox.requestWait({ agent: 'bob', request }), 'not_found')
  const said = world.inbox.comment({ agent: 'bob', request, body: 'Me too' })
  await refused(said, 'not_found')
})

behaves('request/types', async (world) => {
  // The list of request types is the same in every store, and never empty.
  const { types } = await world.inbox.requestTypes({})
  expect(types.map(({ type }) => type)).toEqual([
    'config_change',
    'knowledge_upload',
    'tool_invocation',
    'workspace_review',
    'question',
  ])
  const wrong = JSON.stringify({ target: 'api', current: {} })
  await refused(asked(world, { payload: wrong }), 'invalid_input')
  expect(await titles(world)).toEqual([])
  // The payload of another type can be any object.
  const free = await asked(world, { type: 'hire_agent', payload: wrong })
  expect((await world.inbox.requestGet({ request: free })).request.type).toBe('hire_agent')
  const request = await asked(world)
  await world.inbox.requestRevision({ request, revision: 1, notes: 'Less' })
  const again = { agent: 'ann', request, revision: 1, payload: wrong }
  await refused(world.inbox.resubmit(again), 'invalid_input')
})

behaves('request/edited', async (world) => {
  const payload = JSON.stringify({ ...LIMIT, proposed: { limit: 3 } })
  const fixed = await asked(world)
  await refused(world.inbox.approve({ request: fixed, revision: 1, payload }), 'invalid_state')
  const request = await asked(world, { editable: true })
  const shapeless = { request, revision: 1, payload: '{"target":1}' }
  await refused(world.inbox.approve(shapeless), 'invalid_input')
  const before = (await world.inbox.requestGet({ request })).request.payload_sha256
  const approved = await world.inbox.approve({ request, revision: 1, payload })
  expect(approved.payload_sha256).not.toBe(before)
  const other = await asked(world, { payload })
  const { request: same } = await world.inbox.requestGet({ request: other })
  expect(approved.payload_sha256).toBe(same.payload_sha256)
  const decided = { status: 'approved', payload: JSON.parse(payload) }
  expect((await world.inbox.requestGet({ request })).decision).toMatchObject(decided)
  expect((await world.inbox.requestWait({ agent: 'ann', request })).decision).toMatchObject(decided)
  const [told] = (await world.inbox.mailRead({ agent: 'ann', all: true })).messages
  expect(told?.metadata).toMatchObject({ decision: 'approve', payload: JSON.parse(payload) })
  expect(await ailments(world)).toEqual([])
})

behaves('request/question', async (world) => {
  const ask = (payload: object) => {
    return asked(world, {
      type: 'question',
      payload: JSON.stringify({ text: 'Which?', ...payload }),
    })
  }
  const revision = 1
  const open = await ask({})
  await refused(world.inbox.approve({ request: open, revision }), 'invalid_input')
  await world.inbox.approve({ request: open, revision, answer: 'The red one' })
  const closed = await ask({ options: ['red', 'blue'] })
  await refused(
    world.inbox.approve({ request: closed, revision, answer: 'green' }),
    'invalid_input',
  )
  await world.inbox.approve({ request: closed, revision, answer: 'blue' })
  const properties = { size: { type: 'integer', minimum: 1 } }
  const form = await ask({ schema: { type: 'object', properties, required: ['size'] } })
  await refused(world.inbox.approve({ request: form, revision, answer: '7' }), 'invalid_input')
  await refused(world.inbox.approve({ request: form, revision, values: '{}' }), 'invalid_input')
  await world.inbox.approve({ request: form, revision, values: '{"size":7}' })
  await refused(ask({ schema: { type: 'array' } }), 'invalid_input')
  // A form must not contain constraints that aren't checked.
  const unchecked = { code: { type: 'string', pattern: '^[0-9]+$' } }
  await refused(ask({ schema: { type: 'object', properties: unchecked } }), 'invalid_input')
  const titled = { hue: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }] } }
  const choice = await ask({ schema: { type: 'object', properties: titled } })
  const other = { request: choice, revision, values: '{"hue":"Red"}' }
  await refused(world.inbox.approve(other), 'invalid_input')
  await world.inbox.approve({ ...other, values: '{"hue":"r"}' })
  const { messages } = await world.inbox.mailRead({ agent: 'ann' })
  expect(
    messages.map(({ body, metadata }) => [body, (metadata as { values?: object }).values]),
  ).toEqual([
    ['The red one', undefined],
    ['blue', undefined],
    ['', { size: 7 }],
    ['', { hue: 'r' }],
  ])
  const stray = { request: await asked(world), revision, answer: 'yes' }
  await refused(world.inbox.approve(stray), 'invalid_input')
})
