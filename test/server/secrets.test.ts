// A secret in the wrong place stays out of the log and out of every error, so both are safe to keep or paste into a
// report.

import { beforeAll, describe, expect, test } from 'bun:test'
import { until } from '../worlds/world.ts'
import { byPort, bySocket, op, type Running, rawly, servers, tokenFor } from './serving.ts'

const { start } = servers()

type Secrets = { token: string; code: string; cookie: string; lease: string }

async function secretsOf(server: Running): Promise<Secrets> {
  const token = await tokenFor(server, { name: 'ann' })
  const code = new URL(server.signIn).searchParams.get('code') ?? ''
  const signedIn = await fetch(`${server.url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ code }),
  })
  const cookie = /=([^;]+);/.exec(signedIn.headers.get('set-cookie') ?? '')?.[1] ?? ''
  await bySocket(server, '/api/ops/send', { from: 'user', to: 'ann', subject: 'Hi' })
  const claimed = await byPort(server, '/api/ops/claim', {}, { token })
  const { lease_token: lease } = claimed.body.lease as { lease_token: string }
  return { token, code, cookie, lease }
}

type Put = [method: string, path: string, headers: Record<string, string>, body?: string]

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

/** Every part of a request that a caller can fill in. */
function places(secret: string): Put[] {
  const inPaths = ['/', '/api/ops/', '/mcp/', '/api/inbox/', '/api/inbox/x/', '/sign-in/', '/no/']
  const inQueries = [
    '/?code=',
    '/sign-in?code=',
    '/api/events?after=',
    '/api/events?types=',
    '/mcp?sets=',
    '/mcp?agent=',
    '/mcp?store=',
    '/api/inbox/history?before=',
    '/api/inbox/history?limit=',
    '/api/inbox/history?store=',
    '/metrics?token=',
    '/api/me?access_token=',
    '/healthz?',
  ]
  const inHeaders = [
    'authorization',
    'cookie',
    'x-inbox-agent',
    'last-event-id',
    'idempotency-key',
    'mcp-session-id',
    'mcp-method',
    'mcp-protocol-version',
    'x-inbox-session',
    'origin',
    'referer',
    'user-agent',
    'content-type',
    'accept',
    'sec-fetch-site',
    secret,
  ]
  const inBodies = [
    secret,
    `{"agent":"${secret}"`,
    `{"${secret}":1}`,
    `{"agent":"${secret}"}`,
    `{"limit":"${secret}"}`,
    `{"limit":{"deep":"${secret}"}}`,
    `{"thread":"${secret}","summary":"x","lease_token":"${secret}"}`,
    `["${secret}"]`,
    `"${secret}"`,
  ]
  const ops = [
    'list',
    'claim',
    'done',
    'show',
    'token-revoke',
    'push',
    'mail-read',
    'workspace-add',
  ]
  return [
    ...inPaths.map((path): Put => ['GET', path + secret, {}]),
    ...inPaths.map((path): Put => ['POST', path + secret, JSON_TYPE, '{}']),
    ...inQueries.map((query): Put => ['GET', query + secret, {}]),
    ...inHeaders.map((name): Put => ['GET', '/api/me', { [name]: secret }]),
    ...inHeaders.map(
      (name): Put => ['POST', '/api/ops/list', { ...JSON_TYPE, [name]: secret }, '{}'],
    ),
    ...['Bearer', 'Basic', 'Token', ''].map((how): Put => {
      return ['POST', '/api/ops/list', { ...JSON_TYPE, authorization: `${how} x${secret}` }, '{}']
    }),
    ...ops.flatMap((name) =>
      inBodies.map((body): Put => ['POST', `/api/ops/${name}`, JSON_TYPE, body]),
    ),
    ...inBodies.map((body): Put => ['POST', '/mcp', JSON_TYPE, body]),
    ['POST', '/mcp', JSON_TYPE, `{"jsonrpc":"2.0","id":1,"method":"${secret}"}`],
    [
      'POST',
      '/mcp',
      JSON_TYPE,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${secret}"}}`,
    ],
    ...['thread_show', 'read_messages'].map((name): Put => {
      const params = { name, arguments: { thread: secret, [secret]: 1 } }
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
      const accept = 'application/json, text/event-stream'
      return ['POST', '/mcp', { ...JSON_TYPE, accept }, JSON.stringify(call)]
    }),
    ['POST', '/sign-in', FORM_TYPE, `code=x${secret}`],
    ['POST', '/sign-out', FORM_TYPE, `code=${secret}`],
    ['POST', '/api/inbox/seed', JSON_TYPE, `{"id":"${secret}"}`],
    ['PUT', `/api/inbox/${secret}/read`, {}],
    [secret.replaceAll('_', '-'), '/api/me', {}],
  ]
}

/** The secret half of a token. The first half only identifies the token. */
function partsOf(secret: string): string {
  return secret.split('_').at(-1) as string
}

describe.each(['local', 'tokens'])('with --auth %s', (auth) => {
  let server: Running
  let secrets: Secrets
  beforeAll(async () => {
    server = await start({ args: ['--auth', auth, '--log', 'requests', '--dev'] })
    secrets = await secretsOf(server)
  })

  test('no log line or error contains a secret', async () => {
    const leaks: string[] = []
    for (const [kind, secret] of Object.entries(secrets)) {
      expect([kind, secret.length > 10]).toEqual([kind, true])
      for (const [method, path, headers, body = ''] of places(secret)) {
        const known = { authorization: `Bearer ${secrets.token}` }
        for (const as of [{}, known, { ...known, 'sec-fetch-dest': 'document' }]) {
          const sent = { host: `127.0.0.1:${server.port}`, connection: 'close', ...as, ...headers }
          const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`)
          const length = body === '' ? [] : [`content-length: ${body.length}`]
          const head = [`${method} ${path} HTTP/1.1`, ...lines, ...length].join('\r\n')
          // Reads the whole response, whatever its length.
          const answer = await rawly(server, `${head}\r\n\r\n${body}`, { until: '\0' })
          const isError = !/^HTTP\/1\.1 [23]/.test(answer.text) || answer.text.includes('"error"')
          if (isError && answer.text.includes(partsOf(secret))) leaks.push(`${kind}: ${head}`)
        }
      }
    }
    expect(leaks).toEqual([])
    // Successful answers may contain what was asked for, but log lines may not.
    await op(server, 'last')
    const lines = () => server.log().map((line) => JSON.stringify(line))
    await until(async () => lines().length > 200, 'the log of so many requests')
    const log = lines()
    const logged = Object.entries(secrets).filter(([, secret]) => {
      return log.some((line) => line.includes(partsOf(secret)))
    })
    expect(logged).toEqual([])
  })
})
