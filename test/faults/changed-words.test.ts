// Input is never changed silently. Numbers that JSON parsers can't represent, duplicate names in one object, and bytes
// that aren't UTF-8 are refused by name at every door, and nothing is stored.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bySocket, op, type Running, servers } from '../server/serving.ts'
import { PROGRAM } from '../worlds/program.ts'
import { runInbox } from './inbox.ts'

const { start } = servers()
let server: Running
let before = 0
let home: string
beforeAll(async () => {
  server = await start()
  await op(server, 'agent-register', { agent: 'bob' })
  await op(server, 'agent-register', { agent: 'ann' })
  before = await events()
  home = mkdtempSync(join(tmpdir(), 'mailroom-changed-'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

async function events(): Promise<number> {
  return Number((await op(server, 'list')).body.next_event_id)
}

const NUMBERS = ['9007199254740993', '1e999', '-123456789012345678901234567890']
/** JSON with a duplicate name in one object: some parsers keep the first value, others the last. */
const TWICE = [
  ['{"a":1,"a":2}', 'a'],
  ['{"x":[{"a":1,"b":2,"\\u0061":3}]}', 'a'],
  ['{"__proto__":{},"__proto__":1}', '__proto__'],
] as const
const remedy = (number: string) => new RegExp(`metadata holds the number "${number}".* as text`)

/** The bytes of a string, one per character. */
const bytes = (letters: string) => Uint8Array.from(letters, (letter) => letter.charCodeAt(0))

type Said = { status: number; text: string }

async function send(path: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(`http://inbox${path}`, {
    unix: server.socket,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-inbox-agent': 'bob',
      ...headers,
    },
    body: bytes(body),
  })
  return { status: response.status, text: await response.text() } satisfies Said
}

const call = (metadata: string, subject: string, more = '') =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"send_message"${more},"arguments":{"type":"custom","to":"ann","subject":"${subject}","body":"b","metadata":${metadata}}}}`

const DOORS: [string, (metadata: string, subject: string) => Promise<Said>][] = [
  [
    'HTTP',
    (metadata, subject) =>
      send(
        '/api/ops/mail-send',
        `{"to":"ann","subject":"${subject}","body":"b","metadata":${metadata}}`,
      ),
  ],
  ['MCP over HTTP', (metadata, subject) => send('/mcp', call(metadata, subject))],
  [
    'MCP over HTTP, by the package',
    (metadata, subject) => send('/mcp', call(metadata, subject, ',"more":true')),
  ],
  ['MCP over standard input', byInput],
]

async function byInput(metadata: string, subject: string): Promise<Said> {
  const child = Bun.spawn(
    [PROGRAM, 'mcp', '--agent', 'bob', '--db', server.stores[0]?.store ?? ''],
    {
      env: { PATH: process.env.PATH, HOME: home },
      cwd: home,
      stdin: bytes(`${call(metadata, subject)}\n`),
      stdout: 'pipe',
    },
  )
  return { status: 200, text: await new Response(child.stdout).text() }
}

describe.each(DOORS)('by %s', (name, ask) => {
  test.each(NUMBERS)('%s is refused', async (number) => {
    const { text } = await ask(`{"nr":[${number}]}`, 'x')
    expect(text.replaceAll('\\', '')).toMatch(remedy(number))
    expect(await events()).toBe(before)
  })

  test.each(TWICE)('%s is refused because of a duplicate name', async (metadata, name) => {
    const { text } = await ask(metadata, 'x')
    expect(text.replaceAll('\\', '')).toContain(`metadata names "${name}" twice`)
    expect(await events()).toBe(before)
  })

  test('a duplicate field is refused', async () => {
    const { text } = await ask('{"a":1,"a":2},"metadata":{}', 'x')
    expect(text.replaceAll('\\', '')).toContain('metadata is given twice')
    expect(await events()).toBe(before)
  })

  test('bytes that are not UTF-8 are refused', async () => {
    const { status, text } = await ask('{}', '\xff\xfe')
    expect([name, status]).toEqual([name, name.includes('input') ? 200 : 400])
    expect(text).toContain('not valid UTF-8')
    expect(await events()).toBe(before)
  })
})

test('a query parameter that is not UTF-8 is refused', async () => {
  const { status, text } = await bySocket(server, '/mcp?agent=a%ff', {})
  expect(status).toBe(400)
  expect(text).toContain('not valid UTF-8')
  expect((await bySocket(server, '/mcp?agent=a%EF%BF%BD', {})).text).not.toContain('UTF-8')
})

describe('in the shell', () => {
  /** Runs a command through bash, the only way to pass arguments that aren't valid text. */
  function typed(words: string) {
    const folder = mkdtempSync(join(home, 'shell-'))
    const options = { folder, program: '/bin/bash' }
    return {
      folder,
      ran: runInbox(['-c', words.replace('inbox', `"${PROGRAM}"`)], options),
    }
  }

  test.each([
    ["inbox send --from a --to b --subject $'\\xff\\xfe'", '--subject'],
    ["inbox send --from a --to b --subject=$'gr\\xfc\\xdfe'", '--subject'],
    ["inbox mail send --from a --to b --subject x --body $'\\xed\\xa0\\x80' --json", '--body'],
    ["inbox push --agent a --comments $'a\\xff'", '--comments'],
    ["inbox show $'thr_\\xff'", 'word 2 of the command'],
    ["INBOX_AGENT=$'a\\xff' inbox mail read", 'INBOX_AGENT'],
    ["INBOX_DB=$'./a\\xff.db' inbox send --from a --to b --subject x", 'INBOX_DB'],
  ])('%s is refused, and creates no store', async (words, named) => {
    const { folder, ran } = typed(words)
    const { exit, stdout, stderr } = await ran
    expect(exit).toBe(30)
    expect(stdout + stderr).toContain(`${named} is not valid UTF-8`)
    expect(readdirSync(folder)).toEqual([])
  })

  test('a literal replacement character is accepted', async () => {
    const { ran } = typed("inbox send --from a --to b --subject $'\\xef\\xbf\\xbd' --json")
    const { exit, stdout } = await ran
    expect(exit).toBe(0)
    expect(JSON.parse(stdout).thread.subject).toBe('\uFFFD')
  })
})
