// A server whose store is removed, replaced or can't be written to: it acknowledges no lost write, reports the problem
// on `/readyz`, and gives up its port and socket.

import { describe, expect, test } from 'bun:test'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { connect } from '../../src/index.ts'
import { until } from '../worlds/world.ts'
import { byPort, bySocket, listen, op, type Running, servers, tokenFor } from './serving.ts'

const { start, folder } = servers()

/** A server for a store in its own folder, with its socket elsewhere. */
async function serveIn(home: string, args: string[] = []) {
  const agents = join(home, '.agents')
  mkdirSync(agents, { recursive: true })
  const path = join(agents, 'coord.db')
  const env = { XDG_RUNTIME_DIR: join(home, 'run') }
  mkdirSync(env.XDG_RUNTIME_DIR, { recursive: true, mode: 0o700 })
  return { agents, path, env, server: await start({ db: [path], env, args }) }
}

async function otherStore(home: string): Promise<string> {
  const path = join(home, 'other.db')
  const client = await connect(path, { agent: 'lead' })
  await client.send({ to: 'worker', subject: 'of the other' })
  await client.close()
  return path
}

const send = (server: Running, subject: string) =>
  op(server, 'send', { to: 'worker', subject }, { as: 'lead' })

/** A server that had already noticed the loss may have exited before the call. */
async function isRefused(server: Running): Promise<boolean> {
  const answer = await send(server, 'after').catch(() => null)
  if (answer !== null) expect(answer.body).toMatchObject(GONE)
  return answer?.status !== 200
}

/**
 * Overwrites the first page of `threads` once the WAL is empty, so that the server has to read it from the file again.
 */
async function damage(path: string): Promise<void> {
  const db = new DatabaseSync(path, { timeout: 5000 })
  db.exec("insert into settings (name, value) values ('anything', '')")
  await until(async () => {
    return db.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0
  }, 'that the log is empty')
  const found = db.prepare("select rootpage from sqlite_schema where name = 'threads'").get()
  db.close()
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(PAGE, 0x5a), 0, PAGE, (Number(found?.rootpage) - 1) * PAGE)
  closeSync(file)
}

const PAGE = 4096
const GONE = { ok: false, error: { code: 'store_unusable' } }

/** How a store is lost, and the subjects of the threads in its replacement. */
const LOSSES: [string, (home: string) => Promise<void> | void, string[]?][] = [
  ['its file is removed', (home) => rmSync(join(home, '.agents', 'coord.db'))],
  [
    'another store takes its place',
    async (home) => renameSync(await otherStore(home), join(home, '.agents', 'coord.db')),
    ['of the other'],
  ],
  [
    'a link to it takes its place',
    (home) => {
      const path = join(home, '.agents', 'coord.db')
      renameSync(path, join(home, 'real.db'))
      symlinkSync(join(home, 'real.db'), path)
    },
    ['before'],
  ],
  // `git clean -fdx` does this.
  ['its folder is removed', (home) => rmSync(join(home, '.agents'), { recursive: true })],
]

describe('a server whose store is lost', () => {
  test.each(LOSSES)(
    'acknowledges no more writes, exits, and lets another start, when %s',
    async (_, lose, kept = []) => {
      const home = folder()
      const { server, path, env } = await serveIn(home)
      expect((await send(server, 'before')).status).toBe(200)
      await lose(home)
      expect(await isRefused(server)).toBe(true)
      expect(await server.exited).toBe(50)
      expect(existsSync(server.socket)).toBe(false)
      expect(server.printed()).toContain('was replaced or removed while in use; start again')
      expect(server.log().filter(({ what }) => what === 'store')).toMatchObject([{ is: 'gone' }])
      expect(server.log().filter(({ what }) => what === 'bug')).toEqual([])
      const next = await start({ db: [path], env })
      expect(next.socket).toBe(server.socket)
      expect(next.url).toBe(server.url)
      expect((await send(next, 'next')).status).toBe(200)
      const { threads } = (await op(next, 'list')).body as { threads: { subject: string }[] }
      const subjects = threads.map(({ subject }) => subject).sort()
      expect(subjects).toEqual([...kept, 'next'].sort())
      expect((await op(next, 'doctor')).body).toMatchObject({ healthy: true })
    },
  )

  test('exits without a write, and ends its callers’ waits and streams', async () => {
    const { server, path } = await serveIn(folder())
    await send(server, 'before')
    const stream = await listen(server)
    const waiting = op(server, 'watch', { timeout_seconds: 50 }, { as: 'worker' })
    await until(async () => {
      const { text } = await bySocket(server, '/metrics')
      return /^inbox_calls_waiting 1$/m.test(text)
    }, 'the wait')
    rmSync(path)
    await stream.ended
    const { status, body } = await waiting
    expect({ status, body }).toMatchObject({ status: 503, body: GONE })
    expect(await server.exited).toBe(50)
  })

  test('keeps serving its other stores, and tells callers that the lost one is gone', async () => {
    const home = folder()
    const paths = ['one.db', 'two.db'].map((name) => join(home, name))
    const server = await start({ db: paths, args: ['--auth', 'tokens'] })
    const [one, two] = server.stores.map(({ socket }) => ({ ...server, socket })) as [
      Running,
      Running,
    ]
    const tokens = await Promise.all([one, two].map((own) => tokenFor(own, { name: 'bob' })))
    const list = (token: string | undefined) =>
      byPort(server, '/api/ops/list', {}, { token: token ?? '' })
    expect((await byPort(server, '/readyz')).status).toBe(200)
    rmSync(paths[0] as string)
    expect(await isRefused(one)).toBe(true)
    await until(async () => !existsSync(one.socket), 'that the socket is left')
    const lost = await list(tokens[0])
    expect({ status: lost.status, body: lost.body }).toMatchObject({ status: 503, body: GONE })
    expect(lost.text).not.toContain(home)
    expect((await byPort(server, '/readyz')).status).toBe(503)
    expect((await list(tokens[1])).status).toBe(200)
    expect((await send(two, 'goes on')).status).toBe(200)
    // Another server can take over the lost store's place.
    const next = await start({ db: [paths[0] as string], env: { XDG_RUNTIME_DIR: home } })
    expect((await send(next, 'anew')).status).toBe(200)
    await next.stop()
    // The exit code reports that not everything went well.
    expect(await server.stop()).toBe(50)
  })
})

describe('/readyz', () => {
  test('does not change the store', async () => {
    const { server } = await serveIn(folder())
    await send(server, 'one')
    const before = (await op(server, 'status')).body
    const agents = (await op(server, 'agent-list')).body
    expect((await byPort(server, '/readyz')).body).toMatchObject({ ok: true, answering: 1 })
    expect((await op(server, 'status')).body).toMatchObject({
      next_event_id: before.next_event_id as number,
    })
    expect((await op(server, 'agent-list')).body.agents).toEqual(agents.agents)
    expect((await op(server, 'doctor')).body).toMatchObject({ healthy: true })
  })

  test('is 503 after damage was found in one part of the file, even if other parts are intact', async () => {
    const { server, path } = await serveIn(folder())
    expect((await send(server, 'one')).status).toBe(200)
    expect((await byPort(server, '/readyz')).status).toBe(200)
    await damage(path)
    const { status, body } = await send(server, 'two')
    expect({ status, body }).toMatchObject({ status: 503, body: GONE })
    expect((await byPort(server, '/readyz')).status).toBe(503)
    expect((await byPort(server, '/healthz')).status).toBe(200)
  })
})
