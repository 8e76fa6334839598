// Requests that must be refused. No client would send most of them, so they are written byte by byte.

import { beforeAll, describe, expect, test } from 'bun:test'
import { until } from '../worlds/world.ts'
import { byPort, bySocket, op, type Running, rawly, servers, statusIn } from './serving.ts'

const { start } = servers()
let server: Running
beforeAll(async () => {
  server = await start({ args: ['--log', 'requests'] })
})

const OP = '/api/ops/list'

function request(head: string[], body = ''): string {
  const own = head.some((line) => /^host:/i.test(line)) ? [] : [`Host: 127.0.0.1:${server.port}`]
  return `${[head[0], ...own, ...head.slice(1)].join('\r\n')}\r\n\r\n${body}`
}

function post(more: string[], body = '{}'): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  return request([`POST ${OP} HTTP/1.1`, 'X-Inbox-Agent: bob', length, ...more], body)
}

const JSON_TYPE = 'Content-Type: application/json'

describe('refuses a request with', () => {
  const cases: [string, number, () => string][] = [
    ['another Host', 421, () => request(['GET /healthz HTTP/1.1', 'Host: evil.example'])],
    ['a Host without the port', 421, () => request(['GET /healthz HTTP/1.1', 'Host: 127.0.0.1'])],
    ['another port', 421, () => request(['GET /healthz HTTP/1.1', 'Host: 127.0.0.1:1'])],
    [
      'a Host that only starts like the server’s',
      421,
      () => request(['GET /healthz HTTP/1.1', `Host: 127.0.0.1:${server.port}.evil.example`]),
    ],
    [
      'two Hosts',
      421,
      () =>
        request(['GET /healthz HTTP/1.1', `Host: 127.0.0.1:${server.port}`, 'Host: evil.example']),
    ],
    ['an invalid Host', 421, () => request(['GET /healthz HTTP/1.1', 'Host: a b<>'])],
    [
      'a Host with a path',
      421,
      () => request(['GET /healthz HTTP/1.1', `Host: 127.0.0.1:${server.port}/../@evil`]),
    ],
    [
      'an absolute URL of another server, as sent to a proxy',
      421,
      () => request(['GET http://evil.example/healthz HTTP/1.1', 'Host: evil.example']),
    ],
    [
      'the server’s absolute URL and another Host',
      421,
      () => request([`GET http://127.0.0.1:${server.port}/healthz HTTP/1.1`, 'Host: evil.example']),
    ],
    ['an empty Host', 421, () => request(['GET /healthz HTTP/1.1', 'Host: '])],
    ['no Host', 400, () => 'GET /healthz HTTP/1.1\r\n\r\n'],
    [
      'a foreign Host that matches its Origin',
      421,
      () => request(['GET /healthz HTTP/1.1', 'Host: evil.example', 'Origin: http://evil.example']),
    ],
    ['another site’s Origin', 403, () => post([JSON_TYPE, 'Origin: https://evil.example'])],
    ['a null Origin', 403, () => post([JSON_TYPE, 'Origin: null'])],
    ['the Origin of another port', 403, () => post([JSON_TYPE, 'Origin: http://127.0.0.1:1'])],
    [
      'a cross-site read',
      403,
      () =>
        request(['GET /api/events HTTP/1.1', 'X-Inbox-Agent: bob', 'Sec-Fetch-Site: cross-site']),
    ],
    ['Sec-Fetch-Site cross-site', 403, () => post([JSON_TYPE, 'Sec-Fetch-Site: cross-site'])],
    ['Sec-Fetch-Site same-site', 403, () => post([JSON_TYPE, 'Sec-Fetch-Site: same-site'])],
    [
      'a cross-site link to an address that is not a page',
      403,
      () =>
        request([
          'GET /api/me HTTP/1.1',
          'Sec-Fetch-Site: cross-site',
          'Sec-Fetch-Mode: navigate',
          'Sec-Fetch-Dest: document',
        ]),
    ],
    ['OPTIONS', 403, () => request([`OPTIONS ${OP} HTTP/1.1`])],
    [
      'a CORS preflight',
      403,
      () =>
        request([
          `OPTIONS ${OP} HTTP/1.1`,
          `Origin: http://127.0.0.1:${server.port}`,
          'Access-Control-Request-Method: POST',
        ]),
    ],
    ['TRACE', 405, () => request(['TRACE / HTTP/1.1'])],
    ['CONNECT', 405, () => request(['CONNECT 10.0.0.1:80 HTTP/1.1'])],
    ['GET where POST is needed', 405, () => request([`GET ${OP} HTTP/1.1`, 'X-Inbox-Agent: bob'])],
    ['PUT where POST is needed', 405, () => request([`PUT ${OP} HTTP/1.1`, 'X-Inbox-Agent: bob'])],
    ['HEAD of a stream', 405, () => request(['HEAD /api/events HTTP/1.1', 'X-Inbox-Agent: bob'])],
    ['an unknown address', 404, () => request(['GET /api/nothing HTTP/1.1'])],
    ['an unknown operation', 404, () => post([JSON_TYPE]).replace('/list ', '/drop-table ')],
    ['an internal operation', 404, () => post([JSON_TYPE]).replace('/list ', '/wake-exec ')],
    [
      'a prototype’s property name',
      404,
      () => post([JSON_TYPE]).replace('/list ', '/constructor '),
    ],
    ['a NUL in the address', 400, () => request(['GET /api/ops/a%00b HTTP/1.1'])],
    ['an address that is not UTF-8', 400, () => request(['GET /api/%ff%fe HTTP/1.1'])],
    [
      'a path traversal',
      404,
      () => post([JSON_TYPE]).replace('/list ', '/..%2f..%2fetc%2fpasswd '),
    ],
    ['a form body', 415, () => post(['Content-Type: application/x-www-form-urlencoded'], 'a=b')],
    ['no body and no type', 415, () => post([], '')],
    ['a text body', 415, () => post(['Content-Type: text/plain'])],
    ['a body without a type', 415, () => post([])],
    ['a type that only starts like JSON', 415, () => post(['Content-Type: application/jsonp'])],
    ['a compressed body', 415, () => post([JSON_TYPE, 'Content-Encoding: gzip'])],
    ['a JSON type with a parameter', 415, () => post([`${JSON_TYPE}; boundary=x`])],
    ['a body that is not JSON', 400, () => post([JSON_TYPE], '{"a":')],
    ['a body that is not an object', 400, () => post([JSON_TYPE], '[1]')],
    [
      'a body that is not UTF-8',
      400,
      () => post([JSON_TYPE], 'x'.repeat(2)).replace('xx', '\xff\xfe'),
    ],
    [
      'both a length and chunks',
      400,
      () => post([JSON_TYPE, 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
    ],
    [
      'a negative length',
      400,
      () => request([`POST ${OP} HTTP/1.1`, 'Content-Length: -1', JSON_TYPE], '{}'),
    ],
    [
      'a declared body that is too large',
      413,
      () =>
        request([
          `POST ${OP} HTTP/1.1`,
          'X-Inbox-Agent: bob',
          JSON_TYPE,
          'Content-Length: 99999999',
        ]),
    ],
    [
      'a request head that is too large',
      431,
      () => request(['GET / HTTP/1.1', `X-Long: ${'a'.repeat(100_000)}`]),
    ],
    ['an unknown field', 400, () => post([JSON_TYPE], '{"nobody":1}')],
    ['an invalid token', 401, () => post([JSON_TYPE, 'Authorization: Bearer nonsense'])],
    ['another authentication scheme', 401, () => post([JSON_TYPE, 'Authorization: Basic dTpw'])],
    [
      'a person’s name as an agent',
      400,
      () => post([JSON_TYPE]).replace('X-Inbox-Agent: bob', 'X-Inbox-Agent: user'),
    ],
    [
      'only a name in the query',
      401,
      () =>
        post([JSON_TYPE]).replace('X-Inbox-Agent: bob\r\n', '').replace('list ', 'list?agent=bob '),
    ],
    ['no name', 401, () => post([JSON_TYPE]).replace('X-Inbox-Agent: bob\r\n', '')],
  ]
  for (const [what, status, bytes] of cases) {
    test(what, async () => {
      const { text } = await rawly(server, Buffer.from(bytes(), 'latin1'))
      expect(statusIn(text)).toBe(status)
      // CORS is never allowed.
      expect(text.toLowerCase()).not.toContain('access-control-')
    })
  }
})

test('refusals have one form, with a code', async () => {
  const refused = await byPort(server, OP, { nobody: 1 }, { as: 'bob' })
  expect(refused.body).toEqual({
    ok: false,
    error: { code: 'invalid_input', message: 'nobody is not a known field' },
  })
  const unknown = await byPort(server, OP, {})
  expect(unknown.body).toMatchObject({ ok: false, error: { code: 'unauthenticated' } })
  expect(unknown.headers.get('www-authenticate')).toContain('Bearer')
})

test('refuses browsers on the socket', async () => {
  for (const headers of [{ origin: 'http://inbox' }, { 'sec-fetch-site': 'none' }]) {
    expect((await bySocket(server, '/healthz', undefined, { headers })).status).toBe(403)
  }
})

test('no answer can be framed, sniffed, cached, or read by another site', async () => {
  for (const path of ['/', '/healthz', '/api/openapi.json', '/nothing']) {
    const { headers } = await byPort(server, path)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  }
})

test('after all of it the server still answers, and its log contains no secret', async () => {
  const secret = `mr_${'0'.repeat(26)}_${'A'.repeat(49)}`
  await byPort(server, OP, {}, { token: secret })
  await byPort(server, `/sign-in?code=${secret}`)
  await byPort(server, `/sign-in?code=${'A'.repeat(22)}`)
  expect((await op(server, 'list')).status).toBe(200)
  const lines = await until(async () => {
    const said = JSON.stringify(server.log())
    return said.includes('"status":401') && said
  }, 'it is logged')
  expect(lines).not.toContain('A'.repeat(20))
  expect(server.log().filter(({ what }) => what === 'bug')).toEqual([])
})
