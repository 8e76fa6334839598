// Requests no client should send: each gets the right status, and other callers don't notice.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { withMutant } from '../faults/guards/mutant.ts'
import { folders, INBOX } from '../program/process.ts'
import { type Serving, serve } from './serving.ts'
import { call, MODERN, modern, post, type Rpc } from './wire.ts'

let server: Serving
// Stops the server before the folders are removed, because a server whose store is gone exits with an error.
afterAll(async () => {
  expect(await server.stop()).toBe(0)
  // No request triggered a bug.
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
    ['invalid JSON', 400, -32700, '{"jsonrpc":'],
    ['an empty body', 400, -32700, ''],
    ['a string', 400, undefined, '"hello"'],
    ['null', 400, undefined, 'null'],
    ['extreme nesting', 400, undefined, deep],
    ['another content type', 415, undefined, old, { headers: { 'content-type': 'text/plain' } }],
    ['no acceptable type', 406, undefined, old, { headers: { accept: 'image/png' } }],
    ['a request without a JSON-RPC version', 400, undefined, { id: 1, method: 'ping' }],
    ['an unknown method', 200, -32601, { jsonrpc: '2.0', id: 1, method: 'no/such' }],
    ['an unknown tool', 200, -32602, call(1, 'rm_rf')],
    ['arguments that are not an object', 200, -32602, call(1, 'read_messages', [1] as object)],
    ['an empty batch', 400, undefined, []],
    [
      'too many calls in one batch',
      400,
      -32600,
      Array.from({ length: 101 }, (_, id) => call(id, 'x')),
    ],
    ['more than 8 MB', 413, undefined, call(1, 'send_message', { body: 'x'.repeat(8_400_000) })],
    [
      'the new version without its envelope',
      400,
      -32602,
      old,
      { headers: { 'mcp-protocol-version': MODERN } },
    ],
    ['an unknown version', 400, undefined, old, { headers: { 'mcp-protocol-version': '1999' } }],
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
      'different versions in header and body',
      400,
      -32020,
      fresh.body,
      { headers: { ...fresh.headers, 'mcp-protocol-version': '2025-11-25' } },
    ],
    ['GET', 405, undefined, '', { method: 'GET' }],
    ['DELETE', 405, undefined, '', { method: 'DELETE' }],
    ['no name', 401, undefined, old, { path: '/mcp' }],
    ['a person’s name', 400, undefined, old, { path: '/mcp?agent=user' }],
    ['an unknown set', 400, undefined, old, { path: '/mcp?agent=a&sets=all' }],
    ['an unknown workspace', 404, undefined, old, { path: '/mcp/ws_none' }],
  ]
  // Each row is an array within an array, because the runner adds an argument to shorter rows.
  test.each(cases.map((one) => [one[0], one] as const))(
    '%s',
    async (_, [, status, code, body, how]) => {
      const answer = await post(server, body, how)
      expect(answer.status).toBe(status)
      if (code !== undefined) expect(answer.rpc[0]?.error?.code).toBe(code)
      await mustStillServe()
    },
  )

  test('accepts and ignores a cancel of a finished or unknown call', async () => {
    for (const requestId of [1, 'never', 99_999]) {
      const params = { requestId, reason: 'late' }
      const note = { jsonrpc: '2.0', method: 'notifications/cancelled', params }
      expect((await post(server, note)).status).toBe(202)
    }
    await mustStillServe()
  })

  // Without the cancel, the call would wait for longer than this test may take.
  test('a cancel that arrives before its call ends the wait', async () => {
    const note = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 4141 } }
    await post(server, note)
    const { rpc } = await post(server, call(4141, 'read_messages', { timeoutSeconds: 45 }))
    expect(rpc[0]?.result?.isError ?? false).toBe(false)
  }, 20_000)

  test('accepts and ignores an unexpected response', async () => {
    const { status } = await post(server, { jsonrpc: '2.0', id: 7, result: {} })
    expect(status).toBe(202)
    await mustStillServe()
  })

  test('answers each call of an older-era batch separately', async () => {
    const batch = [call(1, 'read_messages'), call(2, 'mark_read'), call(3, 'no_such_tool')]
    const { status, rpc } = await post(server, batch)
    expect(status).toBe(200)
    const byId = new Map(rpc.map((one) => [one.id, one]))
    expect(byId.get(1)?.result?.isError ?? false).toBe(false)
    expect(byId.get(2)?.result?.isError).toBe(true)
    expect(byId.get(3)?.error?.code).toBe(-32602)
  })

  test('a plain call and one that only the package can answer get the same answer', async () => {
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

  test('answers 500 concurrent calls', async () => {
    const calls = Array.from({ length: 500 }, (_, id) => {
      const { body, headers } = modern(id, 'read_messages')
      return post(server, body, { headers })
    })
    const answers = await Promise.all(calls)
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    expect(new Set(answers.map(({ rpc }) => rpc[0]?.id)).size).toBe(500)
  })
})

/** Talks to the program over stdio, line by line, until `end`. */
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

/** Runs the program with a different grace period for calls made before the end of its input. */
function withGrace(ms: number, use: (program: string[]) => Promise<void>): Promise<void> {
  const [guard, without] = ['const GRACE_MS = 3000', `const GRACE_MS = ${ms}`]
  return withMutant({ file: 'doors/mcp/stdio.ts', guard, without }, (source) =>
    use([process.execPath, join(source, 'bin/main.ts')]),
  )
}

describe('over stdio', () => {
  test('refuses or skips invalid lines, and answers the next call', async () => {
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

  test('refuses a line that is too long, and answers the calls before and after it', async () => {
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

  test('ignores a cancel of a finished or unknown call', async () => {
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

  test('refuses waits beyond a visitor’s limit as busy, and keeps the others waiting', async () => {
    // Busy machines need longer than the usual grace for so many calls, and a wait takes longer still.
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
      // When the client closes its side, waits return and the program exits.
      expect(await end()).toBe(0)
      const ended = await Promise.all(waits.slice(0, 256))
      expect(ended.filter(({ result }) => result?.isError)).toEqual([])
    })
  })

  test('finishes and answers calls made before the end of input, then exits without delay', async () => {
    // With an endless grace period, the program exits only because every call was answered.
    await withGrace(3_600_000, async (program) => {
      const { write, answer, end } = talk(program)
      const sent = Array.from({ length: 20 }, (_, id) => {
        const answered = answer(id)
        write(JSON.stringify(call(id, 'thread_send', { to: 'worker', subject: `Piece ${id}` })))
        return answered
      })
      expect(await end()).toBe(0)
      const answers = await Promise.all(sent)
      expect(answers.filter(({ result }) => result === undefined || result.isError)).toEqual([])
    })
  })

  test('refuses an endless line once, without buffering it', async () => {
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
