// JSON nested so deeply that reading or writing it overflows the stack. It is refused, and JSON like this that an older
// program stored does no harm.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { lineReader } from '../../src/ops/keeping/log-line.ts'
import { call } from '../mcp/wire.ts'
import { op, type Running, servers } from './serving.ts'

const { start, folder } = servers()
let server: Running
let path: string
beforeAll(async () => {
  path = join(folder(), 'store.db')
  server = await start({ db: [path] })
})

const DEEP = `{"a":${'['.repeat(40_000)}${']'.repeat(40_000)}}`

async function post(where: string, body: string, type = 'application/json') {
  const response = await fetch(`http://inbox${where}`, {
    method: 'POST',
    unix: server.socket,
    headers: {
      'content-type': type,
      accept: 'application/json, text/event-stream',
      ...(type === 'application/json' ? { 'x-inbox-agent': 'mallory' } : {}),
    },
    body,
  })
  return { status: response.status, text: await response.text() }
}

describe('is refused', () => {
  const mail = { to: 'bob', subject: 'Hi' }
  const withDeep = (body: object) => JSON.stringify(body).replace('"DEEP"', DEEP)
  const cases: [string, string, string][] = [
    ['metadata as text', '/api/ops/mail-send', JSON.stringify({ ...mail, metadata: DEEP })],
    ['metadata itself', '/api/ops/mail-send', withDeep({ ...mail, metadata: 'DEEP' })],
    ['the payload of work', '/api/ops/send', JSON.stringify({ ...mail, payload_json: DEEP })],
    ['an unknown field', '/api/ops/mail-send', withDeep({ ...mail, other: 'DEEP' })],
    ['a message of MCP', '/mcp', withDeep(call(1, 'mailbox_send', { metadata: 'DEEP' }))],
  ]
  for (const [what, where, body] of cases) {
    test(what, async () => {
      const { status, text } = await post(where, body)
      expect({ status, says: text.includes('nested') }).toEqual({ status: 400, says: true })
    })
  }

  test('each kind of imported line', async () => {
    for (const as of ['mailbox', 'entries']) {
      const { status, text } = await post(`/api/ops/import?as=${as}`, DEEP, 'application/x-ndjson')
      expect({ status, says: text.includes('nested') }).toEqual({ status: 400, says: true })
    }
    expect(() => lineReader()(DEEP)).toThrow('nested')
  })
})

describe('deep JSON already in the store', () => {
  beforeAll(async () => {
    await op(server, 'mail-send', { to: 'bob', subject: 'Deep' }, { as: 'mallory' })
    await op(server, 'send', { to: 'bob', subject: 'Deep work' }, { as: 'mallory' })
    const db = new DatabaseSync(path)
    db.prepare('update messages set payload_json = ?').run(DEEP)
    db.close()
  })

  test('is returned as text by mail-read, and does not break mail-history or claim', async () => {
    const read = await op(server, 'mail-read', {}, { as: 'bob' })
    const [message] = read.body.messages as { metadata: string }[]
    expect({ status: read.status, metadata: message?.metadata }).toEqual({
      status: 200,
      metadata: DEEP,
    })
    expect((await op(server, 'mail-history', {}, { as: 'bob' })).status).toBe(200)
    const claimed = await op(server, 'claim', {}, { as: 'bob' })
    expect(claimed.body).toMatchObject({ ok: true, lease: { lease_token: expect.any(String) } })
  })

  test('is exported with the log and the mailbox', async () => {
    for (const name of ['export', 'mail-export']) {
      const { status, text } = await op(server, name)
      expect({ status, whole: text.includes('['.repeat(40_000)) }).toEqual({
        status: 200,
        whole: true,
      })
    }
  })
})

afterAll(() => {
  expect(server.log().filter(({ what }) => what === 'bug')).toEqual([])
})
