// Requests that a client should not send: each is refused with the right status, and nobody else notices.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { withMutant } from '../faults/guards/mutant.ts'
import { folders, INBOX } from '../program/process.ts'
import { type Serving, serve } from './serving.ts'
import { call, MODERN, modern, post, type Rpc } from './wire.ts'

let server: Serving
// Before the folders go: a server whose store was removed does not end well.
afterAll(async () => {
  expect(await server.stop()).toBe(0)
  // Nothing broke inside, whatever was sent.
  expect(server.log()).not.toContain('"what":"bug"')
})
const folder = folders()
const here = folder()
beforeAll(async () => {
  server = await serve(here)
})

async function mustStillServe() {
  const { status, rpc } = await post(server, call(1, 'read_messages'))
  expect([status, rpc[0]?.result?.isError ?? false]).toEqual([200, false])
}

describe('over HTTP', () => {
  const old = call(1, 'read_messages')
  const fresh = modern(1, 'read_messages')
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  type Case = [string, number, number | undefined, unknown, Parameters<typeof post>[2]?]
  const cases: Case[] = [
    ['no JSON', 400, -32700, '{"jsonrpc":'],
    ['nothing', 400, -32700, ''],
    ['a word', 400, undefined, '"hello"'],
    ['null', 400, undefined, 'null'],
    ['depth without end', 400, undefined, deep],
    ['another type of content', 415, undefined, old, { headers: { 'content-type': 'text/plain' } }],
    ['nothing it would accept', 406, undefined, old, { headers: { accept: 'image/png' } }],
    ['a request without a version of JSON-RPC', 400, undefined, { id: 1, method: 'ping' }],
    ['a method that is none', 200, -32601, { jsonrpc: '2.0', id: 1, method: 'no/such' }],
    ['a tool that is none', 200, -32602, call(1, 'rm_rf')],
    ['arguments that are no object', 200, -32602, call(1, 'read_messages', [1] as object)],
    ['an empty batch', 400, undefined, []],
    ['a flood in one batch', 400, -32600, Array.from({ length: 101 }, (_, id) => call(id, 'x'))],
    ['8 MB and more', 413, undefined, call(1, 'send_message', { body: 'x'.repeat(8_400_000) })],
    [
      'the new version without what belongs to it',
      400,
      -32602,
      old,
      { headers: { 'mcp-protocol-version': MODERN } },
    ],
    [
      'a version nobody knows',
      400,
      undefined,
      old,
      { headers: { 'mcp-protocol-version': '1999' } },
    ],
    ['the new era without its headers', 400, -32020, fresh.body],
    [
      'a header that names another method',
      400,
      -32020,
      fresh.body,
      { headers: { ...fresh.headers, 'mcp-method': 'tools/list' } },
    ],
    [
      'a header that names another tool',
      400,
      -32020,
      fresh.body,
      { headers: { ...fresh.headers, 'mcp-name': 'mark_read' } },
    ],
    [
      'a header and a body of two versions',
      400,
      -32020,
      fresh.body,
      { headers: { ...fresh.headers, 'mcp-protocol-version': '2025-11-25' } },
    ],
    ['GET', 405, undefined, '', { method: 'GET' }],
    ['DELETE', 405, undefined, '', { method: 'DELETE' }],
    ['nobody’s name', 401, undefined, old, { path: '/mcp' }],
    ['a person’s name', 400, undefined, old, { path: '/mcp?agent=user' }],
    ['a set that is none', 400, undefined, old, { path: '/mcp?agent=a&sets=all' }],
    ['a workspace that is none', 404, undefined, old, { path: '/mcp/ws_none' }],
  ]
  // Each in brackets of its own: to a shorter row the runner would add an argument.
  test.each(cases.map((one) => [one[0], one] as const))(
    '%s',
    async (_, [, status, code, body, how]) => {
      const answer = await post(server, body, how)
      expect(answer.status).toBe(status)
      if (code !== undefined) expect(answer.rpc[0]?.error?.code).toBe(code)
      await mustStillServe()
    },
  )

  test('a cancel of a call that is over, or never was, is accepted and does nothing', async () => {
    for (const requestId of [1, 'never', 99_999]) {
      const params = { requestId, reason: 'late' }
      const note = { jsonrpc: '2.0', method: 'notifications/cancelled', params }
      expect((await post(server, note)).status).toBe(202)
    }
    await mustStillServe()
  })

  test('an unsolicited answer is accepted and does nothing', async () => {
    const { status } = await post(server, { jsonrpc: '2.0', id: 7, result: {} })
    expect(status).toBe(202)
    await mustStillServe()
  })

  test('a batch of the older era is answered, each for itself', async () => {
    const batch = [call(1, 'read_messages'), call(2, 'mark_read'), call(3, 'no_such_tool')]
    const { status, rpc } = await post(server, batch)
    expect(status).toBe(200)
    const byId = new Map(rpc.map((one) => [one.id, one]))
    expect(byId.get(1)?.result?.isError ?? false).toBe(false)
    expect(byId.get(2)?.result?.isError).toBe(true)
    expect(byId.get(3)?.error?.code).toBe(-32602)
  })

  test('a call that is plain and one that only the package can answer get the same answer', async () => {
    const name = 'read_messages'
    const { body, headers } = modern(1, name)
    const odd = { ...body.params._meta, 'io.modelcontextprotocol/logLevel': 'error' }
    const oddly = { ...body, params: { ...body.params, _meta: odd } }
    const [newer, theirs] = [
      await post(server, body, { headers }),
      await post(server, oddly, { headers }),
    ]
    expect(newer.rpc).toEqual(theirs.rpc)
    expect(newer.rpc[0]?.result).toMatchObject({ resultType: 'complete' })
    const [older] = (await post(server, call(1, name))).rpc
    const [batched] = (await post(server, [call(1, name)])).rpc
    expect(older).toEqual(batched as Rpc)
  })

  test('five hundred at once are all answered', async () => {
    const calls = Array.from({ length: 500 }, (_, id) => {
      const { body, headers } = modern(id, 'read_messages')
      return post(server, body, { headers })
    })
    const answers = await Promise.all(calls)
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    expect(new Set(answers.map(({ rpc }) => rpc[0]?.id)).size).toBe(500)
  })
})

/** A conversation over standard input: lines in, lines out, as long as it is open. */
function talk(program: string[] = [INBOX]) {
  const child = Bun.spawn([...program, 'mcp', '--agent', 'liner'], {
    cwd: here,
    env: { PATH: process.env.PATH, HOME: here },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const waiting = new Map<unknown, (rpc: Rpc) => void>()
  const stray: Rpc[] = []
  const reading = (async () => {
    const decoder = new TextDecoder()
    let text = ''
    for await (const bytes of child.stdout) {
      text += decoder.decode(bytes, { stream: true })
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        const rpc = JSON.parse(line) as Rpc
        const resolve = waiting.get(rpc.id)
        if (resolve === undefined) stray.push(rpc)
        else resolve(rpc)
      }
    }
  })()
  return {
    child,
    stray,
    write: (text: string) => void child.stdin.write(`${text}\n`),
    answer: (id: unknown) => new Promise<Rpc>((resolve) => waiting.set(id, resolve)),
    async end() {
      await child.stdin.end()
      await reading
      return child.exited
    },
  }
}

/** The program with another grace for what was asked before the end of its input. */
function withGrace(ms: number, use: (program: string[]) => Promise<void>): Promise<void> {
  const [guard, without] = ['const GRACE_MS = 3000', `const GRACE_MS = ${ms}`]
  return withMutant({ file: 'doors/mcp/stdio.ts', guard, without }, (source) =>
    use([process.execPath, join(source, 'bin/main.ts')]),
  )
}

describe('over stdio', () => {
  test('lines that aren’t messages are refused or skipped; the next one is answered', async () => {
    const { write, answer, end, stray } = talk()
    const broken = ['hello', '{"jsonrpc":', '\u0000\u0007']
    for (const line of ['', ' ', ...broken, '[]', 'null', '{"id":1}']) write(line)
    const answered = answer(5)
    write(JSON.stringify(call(5, 'read_messages')))
    expect((await answered).result?.isError ?? false).toBe(false)
    expect(stray.map(({ id, error }) => [id, error?.code])).toEqual(
      broken.map(() => [null, -32700]),
    )
    expect(await end()).toBe(0)
  })

  test('a line that is too long is refused and skipped; what comes before and after is answered', async () => {
    const { write, answer, end } = talk()
    const [before, refused, after] = [answer(1), answer(null), answer(2)]
    write(JSON.stringify(call(1, 'read_messages')))
    write(JSON.stringify(call(9, 'read_messages', { from: 'x'.repeat(12_000_000) })))
    write(JSON.stringify(call(2, 'read_messages')))
    expect((await before).result?.isError ?? false).toBe(false)
    expect(await refused).toMatchObject({ error: { code: -32600 } })
    expect((await after).result?.isError ?? false).toBe(false)
    expect(await end()).toBe(0)
  })

  test('a cancel of what is over, or never was, does nothing', async () => {
    const { write, answer, end } = talk()
    const first = answer(1)
    write(JSON.stringify(call(1, 'read_messages')))
    await first
    for (const requestId of [1, 'never']) {
      const params = { requestId }
      write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params }))
    }
    const second = answer(2)
    write(JSON.stringify(call(2, 'read_messages')))
    expect((await second).result?.isError ?? false).toBe(false)
    expect(await end()).toBe(0)
  })

  test('more waits than one visitor may have are refused as busy; the others wait on', async () => {
    // Busy machines need longer than the grace for so many; a wait that nobody ended takes longer still.
    await withGrace(20_000, async (program) => {
      const { write, answer, end } = talk(program)
      const waits = Array.from({ length: 300 }, (_, id) => {
        const answered = answer(id)
        write(JSON.stringify(call(id, 'read_messages', { timeoutSeconds: 45 })))
        return answered
      })
      const refused = await Promise.all(waits.slice(256))
      for (const { result } of refused) {
        expect(result).toMatchObject({
          isError: true,
          structuredContent: { error: { code: 'busy' } },
        })
      }
      // A client that closes its side waits for nothing more: waits come back, and the program ends.
      expect(await end()).toBe(0)
      const ended = await Promise.all(waits.slice(0, 256))
      expect(ended.filter(({ result }) => result?.isError)).toEqual([])
    })
  })

  test('what was asked before the end of the input is done and answered, and no more is waited for', async () => {
    // A grace without end: it ends because all is answered.
    await withGrace(3_600_000, async (program) => {
      const { write, answer, end } = talk(program)
      const sent = Array.from({ length: 20 }, (_, id) => {
        const answered = answer(id)
        write(JSON.stringify(call(id, 'thread_send', { to: 'somebody', subject: `Piece ${id}` })))
        return answered
      })
      expect(await end()).toBe(0)
      const answers = await Promise.all(sent)
      expect(answers.filter(({ result }) => result === undefined || result.isError)).toEqual([])
    })
  })

  test('a line without end is refused once, and kept nowhere', async () => {
    const { child, answer, end } = talk()
    const refused = answer(null)
    for (let i = 0; i < 40; i += 1) {
      child.stdin.write('x'.repeat(1_000_000))
      await child.stdin.flush()
    }
    expect(await refused).toMatchObject({ error: { code: -32600 } })
    expect(await end()).toBe(0)
  })
})
