// Tests that the API description matches the server: calls every address and compares the statuses.

import { beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMailroom } from '../../src/bin/compose.ts'
import { ROUTES } from '../../src/doors/http/routes.ts'
import { begin } from '../worlds/instances.ts'
import { byPort, bySocket, op, type Running, servers } from './serving.ts'

const { start, folder } = servers()
let server: Running
let cookie: string
let entry: string
let workspace: string
beforeAll(async () => {
  server = await start({ args: ['--dev'] })
  const home = folder()
  writeFileSync(join(home, 'a.md'), 'Hello')
  writeFileSync(join(home, 'a.html'), '<p>Hello')
  const added = await op(server, 'workspace-add', { path: home })
  workspace = (added.body.workspace as { workspace_id: string }).workspace_id
  entry = await pushed()
  const beside = await openMailroom(server.stores[0]?.store ?? '')
  await begin(beside)
  await beside.close()
  const code = new URL(server.signIn).searchParams.get('code')
  const { headers } = await form('/sign-in', `code=${code}`)
  cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
})

async function pushed(): Promise<string> {
  const { body } = await op(server, 'push', { docs: ['a.md'], workspace })
  return String(body.entry_id)
}

function form(path: string, body: string, headers: Record<string, string> = {}) {
  return fetch(server.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: server.url,
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    body,
  })
}

type Asked = () => Promise<{ status: number }>

const mcp = (path: () => string, call = MCP): Asked[] => [
  () => bySocket(server, path(), { jsonrpc: '2.0', id: 1, method: 'tools/list' }, call),
  () => bySocket(server, path(), { jsonrpc: '2.0', method: 'notifications/initialized' }, call),
]
const MCP = { as: 'ann', headers: { accept: 'application/json, text/event-stream' } }
const INSTANCE = '/mcp/instance/pr-1'
const MEMBER = { ...MCP, as: 'coder' }
const inbox = (method: string, rest = '', body?: object): Asked[] => [
  () => bySocket(server, `/api/inbox/${entry}${rest}`, body, { method }),
]
const SEED = { id: 'planted', comments: 'Hi', ts: 1 }

/** Statuses covered by the tests that remove stores. */
const ELSEWHERE: Record<string, string[]> = { 'GET /readyz': ['503'] }

/** Calls to each address that produce each of its statuses. */
const ASKED: Record<string, Asked[]> = {
  'POST /api/ops/:name': [() => op(server, 'list')],
  'GET /api/events': [
    async () => {
      const { status, body } = await fetch(`${server.url}/api/events`, { headers: { cookie } })
      await body?.cancel()
      return { status }
    },
  ],
  'POST /mcp': mcp(() => '/mcp'),
  'GET /mcp': [() => bySocket(server, '/mcp', undefined, MCP)],
  'DELETE /mcp': [() => bySocket(server, '/mcp', undefined, { ...MCP, method: 'DELETE' })],
  'POST /mcp/:workspace': mcp(() => `/mcp/${workspace}`),
  'GET /mcp/:workspace': [() => bySocket(server, `/mcp/${workspace}`, undefined, MCP)],
  'DELETE /mcp/:workspace': [
    () => bySocket(server, `/mcp/${workspace}`, undefined, { ...MCP, method: 'DELETE' }),
  ],
  'POST /mcp/instance/:instance': mcp(() => INSTANCE, MEMBER),
  'GET /mcp/instance/:instance': [
    async () => {
      const headers = { accept: 'text/event-stream', 'x-agent-id': 'coder@pr-1' }
      const { status, body } = await fetch(`${server.url}${INSTANCE}`, { headers })
      await body?.cancel()
      return { status }
    },
  ],
  'DELETE /mcp/instance/:instance': [
    () => bySocket(server, INSTANCE, undefined, { ...MEMBER, method: 'DELETE' }),
  ],
  'GET /api/inbox/history': [() => bySocket(server, '/api/inbox/history')],
  'POST /api/inbox/seed': [
    () => bySocket(server, '/api/inbox/seed', SEED),
    () => bySocket(server, '/api/inbox/seed', SEED),
  ],
  'GET /api/inbox/:id': inbox('GET'),
  'PUT /api/inbox/:id/read': inbox('PUT', '/read'),
  'DELETE /api/inbox/:id/read': inbox('DELETE', '/read'),
  'POST /api/inbox/:id/trash': inbox('POST', '/trash'),
  'POST /api/inbox/:id/restore': inbox('POST', '/restore'),
  'DELETE /api/inbox/:id': [
    async () => bySocket(server, `/api/inbox/${await pushed()}`, undefined, { method: 'DELETE' }),
  ],
  'POST /api/inbox/:id/reply': inbox('POST', '/reply', { comments: 'Yes' }),
  'GET /api/inbox/:id/resume': inbox('GET', '/resume'),
  'GET /api/inbox/:id/file': [
    ...inbox('GET', '/file?path=a.md'),
    async () => {
      const headers = { 'if-none-match': '*' }
      return bySocket(server, `/api/inbox/${await pushed()}/file?path=a.md`, undefined, { headers })
    },
  ],
  'GET /api/inbox/:id/preview': inbox('GET', '/preview?path=a.html'),
  'POST /graphql': [() => bySocket(server, '/graphql', { query: '{ __typename }' })],
  'GET /api/me': [() => bySocket(server, '/api/me')],
  'GET /api/openapi.json': [() => byPort(server, '/api/openapi.json')],
  'GET /healthz': [() => byPort(server, '/healthz')],
  'GET /readyz': [() => byPort(server, '/readyz')],
  'GET /metrics': [() => byPort(server, '/metrics')],
  'GET /': [() => byPort(server, '/')],
  'GET /inbox': [() => byPort(server, '/inbox')],
  'GET /inbox/*': [() => byPort(server, '/inbox/x')],
  'GET /approvals': [() => byPort(server, '/approvals')],
  'GET /approvals/*': [() => byPort(server, '/approvals/x')],
  'GET /threads': [() => byPort(server, '/threads')],
  'GET /threads/*': [() => byPort(server, '/threads/x')],
  'GET /channels': [() => byPort(server, '/channels')],
  'GET /channels/*': [() => byPort(server, '/channels/x/doc/notes.md')],
  'GET /agents': [() => byPort(server, '/agents')],
  'GET /agents/*': [() => byPort(server, '/agents/x')],
  'GET /history': [() => byPort(server, '/history')],
  'GET /history/*': [() => byPort(server, '/history/x')],
  'GET /notifications': [() => byPort(server, '/notifications')],
  'GET /notifications/*': [() => byPort(server, '/notifications/x')],
  'GET /trash': [() => byPort(server, '/trash')],
  'GET /trash/*': [() => byPort(server, '/trash/x')],
  'GET /settings': [() => byPort(server, '/settings')],
  'GET /settings/*': [() => byPort(server, '/settings/about')],
  'GET /app/:name': [
    async () => {
      const page = await (await fetch(server.url)).text()
      return fetch(`${server.url}${/\/app\/main[^"]+/.exec(page)?.[0]}`)
    },
  ],
  'GET /style.css': [() => byPort(server, '/style.css')],
  'GET /sign-in': [
    () => byPort(server, '/sign-in'),
    () => byPort(server, '/sign-in?code=x', undefined, { headers: { cookie } }),
    () => byPort(server, '/sign-in?code=x'),
  ],
  'POST /sign-in': [() => form('/sign-in', '', { cookie }), () => form('/sign-in', 'code=x')],
  'POST /sign-out': [() => form('/sign-out', '')],
}

test.each(ROUTES.map(({ method, path }) => `${method} ${path}`))(
  '%s answers with the statuses in its description',
  async (address) => {
    const [method = '', path = ''] = address.split(' ')
    const { body } = await bySocket(server, '/api/openapi.json')
    const paths = body.paths as Record<string, Record<string, { responses: object }>>
    const described = path === '/api/ops/:name' ? '/api/ops/list' : path.replace(/:(\w+)/g, '{$1}')
    const { responses = {} } = paths[described]?.[method.toLowerCase()] ?? {}
    // Refusals are the same everywhere and are tested elsewhere.
    const route = ROUTES.find((one) => one.method === method && one.path === path)
    const promised = Object.keys(route?.answers ?? { 200: '' })
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(promised))
    const statuses: string[] = []
    for (const ask of ASKED[address] ?? []) statuses.push(String((await ask()).status))
    const elsewhere = ELSEWHERE[address] ?? []
    expect([...statuses, ...elsewhere].sort()).toEqual(promised.sort())
  },
)
