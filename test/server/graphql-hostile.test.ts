// Hostile GraphQL requests: they are refused before anything runs, at a bounded cost.

import { beforeAll, describe, expect, test } from 'bun:test'
import {
  buildClientSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  printSchema,
} from 'graphql'
import { LIMIT } from '../worlds/requests.ts'
import { codes, graph, send } from './graph.ts'
import { byPort, op, type Running, rawly, servers, signedIn, statusIn } from './serving.ts'

const { start } = servers()
let server: Running
let id: string
beforeAll(async () => {
  server = await start({ args: ['--log', 'requests'] })
  const asked = { type: 'config_change', title: 'Raise', payload: LIMIT }
  id = String((await op(server, 'request-create', asked, { as: 'ann' })).body.request_id)
})

const INTROSPECTION = getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true })

/** Far longer than a refusal takes, and far shorter than the refused work would take. */
const SOON_MS = 2_000

async function soon<T>(work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const result = await work()
  expect(performance.now() - startedAt).toBeLessThan(SOON_MS)
  return result
}

const times = (count: number, make: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => make(n)).join(' ')

/** Each fragment spreads the next one ten times: 10^30 fields in 2000 characters. */
const bomb = (leaf: string) => {
  const fragments = times(30, (n) => {
    return `fragment F${n} on InboxItem { ${times(10, () => `...F${n + 1}`)} }`
  })
  return `${fragments} ${leaf}`
}

const DOCUMENTS: Record<string, [string, string]> = {
  'ten thousand aliases': [`{ ${times(10_000, (n) => `a${n}: __typename`)} }`, 'characters'],
  'more tokens than allowed': [`{ ${times(2_000, () => 'a')} }`, '2000 tokens'],
  '600 short aliases': [`{ ${times(600, (n) => `a${n}: b`)} }`, '30 aliases'],
  '31 aliases': [`{ inboxItems { ${times(31, (n) => `a${n}: id`)} } }`, '30 aliases'],
  '21 operations at once': [
    `{ ${times(21, (n) => `a${n}: inboxItems { id }`)} }`,
    'asks for 21 things at once; at most 20',
  ],
  '22 operations by fragments': [
    `{ ...A ...B } fragment A on Query { ${times(11, (n) => `a${n}: __typename`)} } fragment B on Query { ${times(11, (n) => `b${n}: __typename`)} }`,
    'asks for 22 things at once',
  ],
  '501 repeated fields': [`{ inboxItems { ${times(501, () => 'id')} } }`, 'more than 500 fields'],
  'deep nesting': [`{ ${'a { '.repeat(17)}b${' }'.repeat(17)} }`, 'more than 16 levels deep'],
  'nesting deep enough to overflow the stack': [`${'{a'.repeat(3_000)}`, '2000 tokens'],
  'conditions inside conditions': [`${'{...'.repeat(650)}`, 'Syntax Error'],
  'lists inside lists': [`{ a(b: ${'['.repeat(1_900)}`, 'Syntax Error'],
  'a fragment that spreads itself': [
    '{ inboxItems { ...A } } fragment A on InboxItem { ...A }',
    'fragment A that spreads itself',
  ],
  'a cycle of fragments': [
    '{ inboxItems { ...A } } fragment A on InboxItem { ...B } fragment B on InboxItem { ...C } fragment C on InboxItem { id ...A }',
    'that spreads itself',
  ],
  'an unused cycle': [
    '{ __typename } fragment A on InboxItem { ...B } fragment B on InboxItem { ...A }',
    'that spreads itself',
  ],
  'a bomb of fragments': [
    `{ inboxItems { ...F0 } } ${bomb('fragment F30 on InboxItem { id }')}`,
    'more than 500 fields',
  ],
  'an unused bomb': [
    `{ __typename } ${bomb('fragment F30 on InboxItem { id }')}`,
    'more than 500 fields',
  ],
  'a bomb without a field': [`{ inboxItems { ...F0 } } ${bomb('')}`, 'more than 500 fields'],
  'recursive introspection': [
    '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }',
    'Maximum introspection depth exceeded',
  ],
  'a reserved variable': [
    'query ($__proto__: ID) { inboxItems(tenantId: $__proto__) { id } }',
    '__',
  ],
  'a subscription': ['subscription { inboxItems { id } }', 'there are no subscriptions'],
  'two operations and no operationName': [
    'query A { __typename } query B { __typename }',
    'operation name',
  ],
  'no operation': ['fragment A on InboxItem { id }', 'never used'],
  'an empty document': ['', 'Syntax Error'],
  'an unknown field': ['{ inboxItems { constructor } }', 'Cannot query field'],
  '100 unknown fields': [
    `{ inboxItems { ${times(100, (n) => `wrong${n}`)} } }`,
    'Too many validation errors',
  ],
  'a long unknown name': [`{ ${'x'.repeat(16_000)} }`, 'Cannot query field'],
}

test.each(Object.entries(DOCUMENTS))('%s is refused entirely', async (_, [query, why]) => {
  const { status, data, errors, text } = await soon(() => graph(server, query))
  expect({ status, data }).toEqual({ status: 400, data: undefined })
  expect(errors.length).toBeLessThanOrEqual(11)
  expect(errors.map(({ message }) => message).join('\n')).toContain(why)
  for (const { extensions } of errors) {
    expect(extensions).toEqual({ code: 'invalid_input', status: 400, details: {} })
  }
  expect(text.length).toBeLessThan(40_000)
})

test('a mutation refused entirely has no effect', async () => {
  const before = (await op(server, 'status')).body.next_event_id
  const one = `approveInboxItem(id: "${id}", revision: 1) { id }`
  const all = `mutation { ${one} ${times(21, (n) => `a${n}: ${one}`)} }`
  expect((await graph(server, all)).status).toBe(400)
  expect((await graph(server, `mutation { ${one} nope }`)).status).toBe(400)
  expect((await op(server, 'status')).body.next_event_id).toBe(before)
})

describe('variables', () => {
  const CREATE = `mutation ($input: CreateInboxItemInput!) {
    createInboxItem(input: $input) { id config }
  }`
  const create = (input: object) =>
    graph(server, CREATE, { input: { type: 'x', title: 'Odd', ...input } }, { as: 'ann' })

  test('are refused quickly when too many, too long, or too deep', async () => {
    const long = await soon(() => create({ config: { text: 'x'.repeat(1_100_000) } }))
    expect(codes(long)).toEqual(['createInboxItem invalid_input'])
    const many = { deciders: Array.from({ length: 100_000 }, (_, n) => `user:p${n}`) }
    expect(codes(await soon(() => create({ policy: 'NAMED', ...many })))).toEqual([
      'createInboxItem invalid_input',
    ])
    const wrong = { deciders: Array.from({ length: 100_000 }, () => ({})) }
    const { status, errors } = await soon(() => create(wrong))
    expect(status).toBe(400)
    expect(errors.length).toBeLessThanOrEqual(11)
    const nested = `${'[{"a":'.repeat(60)}1${'}]'.repeat(60)}`
    const body = `{"query": "{ __typename }", "variables": {"a": ${nested}}}`
    expect((await send(server, body)).status).toBe(400)
    const deep = `{ "a": ${'['.repeat(105)}${']'.repeat(105)} }`
    expect(codes(await create({ config: JSON.parse(deep) }))).toEqual([
      'createInboxItem invalid_input',
    ])
    const names = Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`k${n}`, 0]))
    expect((await soon(() => create({ config: names }))).status).toBe(400)
  })

  test('can have the names of prototype properties', async () => {
    const odd = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}},"toString":1}'
    const made = await send(
      server,
      `{"query": ${JSON.stringify(CREATE)}, "variables": {"input": {"type": "x", "title": "Odd", "config": ${odd}}, "__proto__": {"input": 1}}}`,
    )
    expect(made.errors).toEqual([])
    expect(made.text).toContain(odd)
    const inside = await send(
      server,
      `{"query": ${JSON.stringify(CREATE)}, "variables": {"input": {"type": "x", "title": "Odd", "__proto__": {"config": {}}}}}`,
    )
    expect(inside.status).toBe(400)
    const aliased = await graph(server, '{ __proto__: __typename constructor: __typename }')
    expect(aliased.text).toContain('{"__proto__":"Query","constructor":"Query"}')
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined()
  })

  test('are refused if a number would lose precision or a name is repeated', async () => {
    const query = JSON.stringify(CREATE)
    for (const [config, why] of [
      ['{"n": 9007199254740993}', '9007199254740993'],
      ['{"n": 1, "n": 2}', 'twice'],
    ]) {
      const body = `{"query": ${query}, "variables": {"input": {"type": "x", "title": "Odd", "config": ${config}}}}`
      const odd = await send(server, body)
      expect(codes(odd)).toEqual(['createInboxItem invalid_input'])
      expect(odd.errors[0]?.message).toContain(why)
    }
  })

  test('are refused when missing or of the wrong type', async () => {
    for (const input of [7, null, [], { type: 1, title: 'x' }, { title: 'x' }, { type: 'x' }]) {
      const { status, errors } = await graph(server, CREATE, { input })
      expect({ status, code: errors[0]?.extensions.code }).toEqual({
        status: 400,
        code: 'invalid_input',
      })
    }
    const moment = `query ($m: DateTime) { activityLog(entityId: "${id}", after: $m) { id } }`
    expect((await graph(server, moment, { m: 'yesterday' })).status).toBe(400)
    expect((await graph(server, moment, { m: 7 })).status).toBe(400)
    expect((await graph(server, moment, { m: '2020-01-01' })).errors).toEqual([])
  })
})

describe('over HTTP', () => {
  const QUERY = JSON.stringify({ query: '{ __typename }' })

  test('accepts only POST with a JSON object and a single document', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await byPort(server, '/graphql?query={__typename}', undefined, {
        method,
        as: 'ann',
      })
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST'])
    }
    const typed = (type: string) => send(server, QUERY, { headers: { 'content-type': type } })
    for (const type of ['text/plain', 'application/graphql', 'application/x-www-form-urlencoded']) {
      expect((await typed(type)).status).toBe(415)
    }
    expect((await typed('application/json; charset=utf-8')).status).toBe(200)
    const zipped = { headers: { 'content-encoding': 'gzip' } }
    expect((await send(server, Bun.gzipSync(QUERY), zipped)).status).toBe(415)
    const bodies = ['', '{', 'null', '7', '"x"', `[${QUERY}]`, '[]', '{}', '{"query": 7}']
    for (const body of [
      ...bodies,
      '{"query": "{ __typename }", "variables": []}',
      '{"query": "{ __typename }", "operationName": 7}',
      '{"query": "{ __typename }", "variable": {}}',
    ]) {
      expect([body, (await send(server, body)).status]).toEqual([body, 400])
    }
    expect((await send(server, new Uint8Array([0xff, 0xfe]))).status).toBe(400)
    const extensions =
      '{"query": "{ __typename }", "extensions": {"persistedQuery": {}}, "variables": null}'
    expect((await send(server, extensions)).data).toEqual({ __typename: 'Query' })
    const key = { headers: { 'idempotency-key': 'k' } }
    expect((await send(server, QUERY, key)).status).toBe(400)
  })

  test('answers 413 to a body that is too large', async () => {
    const large = JSON.stringify({
      query: '{ __typename }',
      variables: { a: 'x'.repeat(8_400_000) },
    })
    expect((await send(server, large)).status).toBe(413)
  })

  test('answers in the accepted media type, and always with 200 in the older one', async () => {
    const accepted = async (accept: string, body = QUERY) => {
      const { status, headers } = await send(server, body, { headers: { accept } })
      return [status, headers.get('content-type')]
    }
    const own = 'application/graphql-response+json; charset=utf-8'
    const plain = 'application/json; charset=utf-8'
    expect(await accepted('*/*')).toEqual([200, own])
    expect(await accepted('application/graphql-response+json, application/json;q=0.9')).toEqual([
      200,
      own,
    ])
    expect(await accepted('application/json')).toEqual([200, plain])
    expect(await accepted('application/graphql-response+json;q=0, application/json')).toEqual([
      200,
      plain,
    ])
    expect((await accepted('text/html'))[0]).toBe(406)
    const wrong = JSON.stringify({ query: '{ nope }' })
    expect(await accepted('application/json', wrong)).toEqual([200, plain])
    expect(await accepted('application/graphql-response+json', wrong)).toEqual([400, own])
  })

  test('refuses cross-site requests and unknown callers', async () => {
    const post = (more: string[]) =>
      [
        'POST /graphql HTTP/1.1',
        `Host: 127.0.0.1:${server.port}`,
        'Content-Type: application/json',
        `Content-Length: ${QUERY.length}`,
        ...more,
        '',
        QUERY,
      ].join('\r\n')
    const status = async (...more: string[]) => statusIn((await rawly(server, post(more))).text)
    expect(await status('X-Inbox-Agent: ann')).toBe(200)
    expect(await status()).toBe(401)
    expect(await status('Authorization: Bearer mr_wrong')).toBe(401)
    expect(await status('X-Inbox-Agent: ann', 'Origin: https://evil.example')).toBe(403)
    expect(await status('X-Inbox-Agent: ann', 'Sec-Fetch-Site: cross-site')).toBe(403)
    const evil = post(['X-Inbox-Agent: ann']).replace(/Host: [^\r]*/, 'Host: evil.example')
    expect(statusIn((await rawly(server, evil)).text)).toBe(421)
  })

  test('a page can look and decide, but a cookie alone cannot do either', async () => {
    const { session, page } = await signedIn(server)
    const { cookie } = session
    const ask = async (query: string, headers: Record<string, string> = session) => {
      const response = await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie, ...headers },
        body: JSON.stringify({ query }),
      })
      return { status: response.status, body: await response.json() }
    }
    const look = `{ inboxItem(id: "${id}") { status } }`
    expect((await ask(look, page)).body).toEqual({ data: { inboxItem: { status: 'PENDING' } } })
    expect((await ask(look)).body).toMatchObject({ errors: [{ extensions: { status: 403 } }] })
    // A program that has stolen a cookie doesn't send the page's headers.
    expect((await ask(look, {})).status).toBe(403)
    for (const field of [
      `approveInboxItem(id: "${id}", revision: 1)`,
      `rejectInboxItem(id: "${id}", revision: 1)`,
      `requestRevisionInboxItem(id: "${id}", revision: 1, input: { reviewNotes: "No" })`,
    ]) {
      const { body } = await ask(`mutation { ${field} { id } }`)
      expect(body).toMatchObject({ errors: [{ extensions: { code: 'forbidden', status: 403 } }] })
    }
    expect((await ask(look, page)).body).toEqual({ data: { inboxItem: { status: 'PENDING' } } })
  })
})

test('lists beyond 1000 items are refused, and those before them answered', async () => {
  const lists = times(3, (n) => `a${n}: inboxItems(limit: 500) { id }`)
  const many = await graph(server, `{ ${lists} }`)
  expect(codes(many)).toEqual(['a2 invalid_input'])
  expect(many.data).toMatchObject({ a0: expect.any(Array), a1: expect.any(Array), a2: null })
  const negative = await graph(server, `{ inboxItems(limit: -5000) { id } ${lists} }`)
  expect(codes(negative)).toEqual(['a2 invalid_input', 'inboxItems invalid_input'])
})

test('an answer cannot repeat a long value beyond its size limit', async () => {
  const config = { text: 'x'.repeat(1_000_000) }
  const made = await graph(
    server,
    'mutation ($c: JSON) { createInboxItem(input: { type: "x", title: "Long", config: $c }) { id } }',
    { c: config },
  )
  const long = (made.data as { createInboxItem: { id: string } }).createInboxItem.id
  const often = (count: number) =>
    `{ inboxItem(id: "${long}") { revisions { ${times(count, (n) => `a${n}: config`)} } } }`
  const some = await soon(() => graph(server, often(3)))
  expect({ errors: some.errors, long: some.text.length > 3_000_000 }).toEqual({
    errors: [],
    long: true,
  })
  const many = await soon(() => graph(server, often(30)))
  expect(many.data).toEqual({ inboxItem: null })
  expect(many.errors[0]).toMatchObject({
    message: expect.stringContaining('more than 4000000 characters'),
    extensions: { code: 'invalid_input' },
  })
  expect(many.text.length).toBeLessThan(40_000)
})

test('the schema can be introspected, and matches the published one', async () => {
  const { status, data } = await soon(() => graph(server, INTROSPECTION, {}, { as: 'ann' }))
  expect(status).toBe(200)
  const schema = printSchema(buildClientSchema(data as unknown as IntrospectionQuery))
  const published = await Bun.file(
    `${import.meta.dir}/../../src/doors/http/graphql/schema.graphql`,
  ).text()
  const { buildSchema } = await import('graphql')
  expect(schema).toBe(printSchema(buildSchema(published)))
})

test('the widest introspection allowed is cheap', async () => {
  const aliases = times(29, (n) => `a${n}: name`)
  const query = `{ __schema { types { fields { type { fields { name ${aliases} } } } } } }`
  const { status, errors } = await soon(() => graph(server, query))
  expect({ status, errors }).toEqual({ status: 200, errors: [] })
})

test('the log has no bugs, and refusals do not repeat secrets', async () => {
  const secret = `mr_${'0'.repeat(26)}_${'a'.repeat(40)}`
  const { text } = await graph(server, `{ inboxItem(id: "x") { ${secret} } }`)
  expect(text).toContain('mr_')
  expect(text).not.toContain('aaaa')
  expect(server.log().filter(({ what }) => what === 'bug')).toEqual([])
})
