// External checks: the public conformance scenarios that need no special tools, and the Inspector.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ask, folders, INBOX } from '../program/process.ts'
import { type Serving, serve } from './serving.ts'

const folder = folders()
const here = folder()
const NODE = process.env.MAILROOM_TEST_NODE24
const TOOLS = process.env.MAILROOM_TEST_MCP_TOOLS
if (NODE === undefined || TOOLS === undefined) throw new Error('run it with: npm test -- mcp')

let server: Serving
let workspaceId: string
beforeAll(async () => {
  server = await serve(here)
  mkdirSync(join(here, 'work'))
  const added: unknown = await ask(['workspace', 'add', 'work'], { folder: here })
  workspaceId = (added as { workspace: { workspace_id: string } }).workspace.workspace_id
})
afterAll(async () => {
  await server.stop()
})

async function run(program: string, args: string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([NODE as string, join(TOOLS as string, program), ...args], {
    cwd: here,
    env: { PATH: process.env.PATH, HOME: here, NO_COLOR: '1', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { out, err, code }
}

type Check = { id: string; status: string; errorMessage?: string }

const CONFORMANCE = '@modelcontextprotocol/conformance/dist/index.js'

async function checksOf(scenario: string, version: string, url: string): Promise<Check[]> {
  const out = folder()
  const args = ['--url', url, '--scenario', scenario, '--spec-version', version, '-o', out]
  const ran = await run(CONFORMANCE, ['server', ...args])
  const [kept] = readdirSync(out)
  if (kept === undefined) throw new Error(`${scenario} left nothing:\n${ran.out}${ran.err}`)
  return Bun.file(join(out, kept, 'checks.json')).json()
}

/** The minimum number of checks that must pass, because a scenario that checks nothing proves nothing. */
const OLD: [string, number][] = [
  ['server-initialize', 2],
  ['ping', 2],
  ['tools-list', 3],
  ['resources-list', 2],
  ['prompts-list', 2],
  ['dns-rebinding-protection', 2],
]
const NEW: [string, number][] = [
  ['tools-list', 4],
  ['resources-list', 2],
  ['prompts-list', 2],
  ['caching', 8],
  ['dns-rebinding-protection', 2],
  ['server-sse-multiple-streams', 1],
  ['sep-2164-resource-not-found', 2],
  ['input-required-result-unsupported-methods', 2],
  ['input-required-result-ignore-extra-params', 1],
  ['input-required-result-validate-input', 3],
  ['input-required-result-missing-input-response', 1],
]

describe.each([
  ...OLD.map(([name, least]): [string, string, number] => ['2025-11-25', name, least]),
  ...NEW.map(([name, least]): [string, string, number] => ['2026-07-28', name, least]),
])('conformance %s', (version, scenario, least) => {
  test(`${scenario} passes at least ${least} checks`, async () => {
    const checks = await checksOf(scenario, version, `${server.url}/mcp?agent=tester`)
    expect(checks.filter(({ status }) => status === 'FAILURE')).toEqual([])
    const passed = checks.filter(({ status }) => status === 'SUCCESS')
    expect(passed.length).toBeGreaterThanOrEqual(least)
  })
})

/** These scenarios drop the query string, and only a workspace's address works without one. */
describe.each([
  ['http-header-validation', 14],
  ['server-stateless', 24],
])('conformance 2026-07-28, at a workspace', (scenario, least) => {
  test(`${scenario} passes at least ${least} checks, except those that need special tools`, async () => {
    const checks = await checksOf(scenario, '2026-07-28', `${server.url}/mcp/${workspaceId}`)
    const failed = checks.filter(({ status, errorMessage }) => {
      return status === 'FAILURE' && !errorMessage?.startsWith('Not testable: server does not list')
    })
    expect(failed).toEqual([])
    const passed = checks.filter(({ status }) => status === 'SUCCESS')
    expect(passed.length).toBeGreaterThanOrEqual(least)
  })
})

const INSPECTOR = '@modelcontextprotocol/inspector/clients/launcher/build/index.js'

function inspect(...args: string[]) {
  return run(INSPECTOR, ['--cli', ...args])
}

describe('the Inspector', () => {
  test('finds only schemas that every client can use', async () => {
    const url = `${server.url}/mcp?agent=looker&sets=mailbox,threads`
    const listed = await inspect(url, '--transport', 'http', '--method', 'tools/list', '--strict')
    expect({ code: listed.code, err: listed.err }).toEqual({ code: 0, err: '' })
    const { tools } = JSON.parse(listed.out) as { tools: object[] }
    expect(tools.length).toBeGreaterThan(15)
  })

  test.each(['legacy', 'modern', 'auto'])('calls a tool in era %s', async (era) => {
    const way = [`${server.url}/mcp`, '--transport', 'http', '--header', 'X-Inbox-Agent: looker']
    const call = ['--method', 'tools/call', '--tool-name', 'read_messages', '--tool-arg', 'limit=3']
    const called = await inspect(...way, '--protocol-era', era, ...call)
    expect(called.code).toBe(0)
    expect(JSON.parse(called.out).structuredContent).toMatchObject({ messages: [], unread: 0 })
  })

  test('reads a refusal over stdio as a tool error', async () => {
    const call = ['--method', 'tools/call', '--tool-name', 'mark_read']
    const called = await inspect('-e', 'INBOX_AGENT=looker', ...call, '--', INBOX, 'mcp')
    expect(called.code).toBe(5)
    expect(called.out).toContain('invalid_input')
  })
})
