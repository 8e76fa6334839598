import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client } from 'pg'
import { readFrontendMessages } from './frontend-messages.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { type PostgresProxy, startProxy } from './proxy.ts'

let postgres: Postgres
let direct: Client

beforeAll(async () => {
  postgres = await startPostgres()
  direct = await open(postgres.url)
  await direct.query('create table rows (id text primary key)')
})

afterAll(async () => {
  await direct.end()
  await postgres.stop()
})

// By default, pg sends statements without values as simple queries.
const extendedCommit = { text: 'commit', queryMode: 'extended' }

// The three ways a client can commit.
const commits: Record<string, (client: Client, id: string) => Promise<unknown>> = {
  'a simple query': async (client, id) => {
    await client.query('begin')
    await client.query(`insert into rows values ('${id}')`)
    await client.query('commit')
  },
  'a prepared statement': async (client, id) => {
    await client.query('begin')
    await client.query('insert into rows values ($1)', [id])
    await client.query({ name: 'end of work', text: 'COMMIT', values: [] })
  },
  'one pipelined write': async (client, id) => {
    await client.query('begin')
    const insert = client.query('insert into rows values ($1)', [id])
    await Promise.all([insert, client.query(extendedCommit)])
  },
}

for (const [name, commit] of Object.entries(commits)) {
  test(`a cut after ${name} keeps the commit, but its client gets no answer`, async () => {
    await withProxy(async (proxy) => {
      const client = await open(proxy.url, name === 'one pipelined write')
      proxy.cutNextCommit('after')
      expect(await failure(commit(client, `after ${name}`))).toContain('terminated')
      expect(proxy.cuts).toBe(1)
      await backendsGone()
      expect(await isStored(`after ${name}`)).toBe(true)
    })
  })

  test(`a cut before ${name} stores nothing`, async () => {
    await withProxy(async (proxy) => {
      const client = await open(proxy.url, name === 'one pipelined write')
      proxy.cutNextCommit('before')
      expect(await failure(commit(client, `before ${name}`))).toContain('terminated')
      await backendsGone()
      expect(await isStored(`before ${name}`)).toBe(false)
    })
  })

  test(`without an order to cut, ${name} passes`, async () => {
    await withProxy(async (proxy) => {
      const client = await open(proxy.url)
      await commit(client, `passes ${name}`)
      await client.end()
      expect(proxy.cuts).toBe(0)
      expect(await isStored(`passes ${name}`)).toBe(true)
    })
  })
}

test('a commit is recognized however the bytes are split, and only where there is one', () => {
  const bytes = Buffer.concat([
    startup(),
    message('Q', "insert into rows values ('; commit')\0"),
    message('P', 'end\0commit\0\0\0'),
    message('P', '\0select 1; -- commit\0\0\0'),
    message('B', '\0end\0\0\0\0\0\0\0'),
    message('E', '\0\0\0\0\0'),
    message('B', '\0\0\0\0\0\0\0\0'),
    message('E', '\0\0\0\0\0'),
    message('S', ''),
    message('Q', 'select append(1); COMMIT\0'),
  ])
  const commitsAt = [5, 9]
  for (let size = 1; size <= bytes.length; size++) {
    const read = readFrontendMessages()
    const messages = []
    for (let at = 0; at < bytes.length; at += size) {
      messages.push(...read(bytes.subarray(at, at + size)))
    }
    expect(messages).toHaveLength(10)
    expect(messages.flatMap(({ isCommit }, index) => (isCommit ? [index] : []))).toEqual(commitsAt)
    expect(Buffer.concat(messages.map((each) => each.bytes)).equals(bytes)).toBe(true)
  }
})

const DELAY_MS = 300

test('a delay costs one round trip, however many statements are pipelined', async () => {
  await withProxy(
    async (proxy) => {
      const client = await open(proxy.url, true)
      const startedAt = performance.now()
      await client.query('select 1')
      const oneMs = performance.now() - startedAt
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) => client.query('select $1::int as n', [n])),
      )
      const manyMs = performance.now() - startedAt - oneMs
      await client.end()
      expect(results.map(({ rows }) => rows[0].n)).toEqual(Array.from({ length: 20 }, (_, n) => n))
      // A timer may fire slightly early.
      expect(oneMs).toBeGreaterThan(2 * DELAY_MS - 10)
      expect(manyMs).toBeGreaterThan(2 * DELAY_MS - 10)
      // Sequentially it would take 20 times as long as one. On a busy machine it takes a little longer than one.
      expect(manyMs).toBeLessThan(15 * oneMs)
    },
    { delayMs: DELAY_MS },
  )
})

test('a pause holds everything back until resume', async () => {
  await withProxy(async (proxy) => {
    const client = await open(proxy.url)
    proxy.pause()
    const answer = client.query("insert into rows values ('paused')")
    // The other connection's answer shows that the server had time for the held query too.
    await direct.query('select pg_sleep(0.05)')
    expect(await isStored('paused')).toBe(false)
    proxy.resume()
    await answer
    expect(await isStored('paused')).toBe(true)
    await client.end()
  })
})

test('random cuts follow the seed', async () => {
  const runs: number[][] = []
  for (const seed of [7, 7, 8]) {
    await withProxy(
      async (proxy) => {
        const lived: number[] = []
        while (lived.length < 6) {
          const client = await open(proxy.url)
          let answers = 0
          while ((await failure(client.query('select 1'))) === none) answers++
          lived.push(answers)
        }
        expect(proxy.cuts).toBe(6)
        runs.push(lived)
      },
      { cut: { probability: 0.1, seed } },
    )
  }
  expect(runs[1]).toEqual(runs[0] as number[])
  expect(runs[2]).not.toEqual(runs[0] as number[])
})

test('cutAll ends an idle LISTEN connection', async () => {
  await withProxy(async (proxy) => {
    const client = await open(proxy.url)
    await client.query('listen news')
    const ended = new Promise<void>((resolve) => client.on('end', () => resolve()))
    proxy.cutAll()
    await ended
    expect(proxy.cuts).toBe(1)
  })
})

async function withProxy(
  run: (proxy: PostgresProxy) => Promise<void>,
  options?: Parameters<typeof startProxy>[1],
): Promise<void> {
  const proxy = await startProxy(postgres.url, options)
  try {
    await run(proxy)
  } finally {
    await proxy.stop()
  }
}

async function open(url: string, pipeline = false): Promise<Client> {
  const client = new Client({ connectionString: url, pipeline })
  // A cut connection rejects its query. Without a handler, its error event would end the process.
  client.on('error', () => {})
  await client.connect()
  return client
}

const none = 'no failure'
async function failure(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => none,
    (error: Error) => error.message,
  )
}

// Once a client is gone, its backend finishes its work and ends. After that, the outcome is final.
async function backendsGone(): Promise<void> {
  const others = `select count(*)::int as n from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`
  while ((await direct.query(others)).rows[0].n > 0);
}

async function isStored(id: string): Promise<boolean> {
  const { rowCount } = await direct.query('select 1 from rows where id = $1', [id])
  return rowCount === 1
}

function startup(): Buffer {
  const body = Buffer.from('user\0postgres\0\0')
  const head = Buffer.alloc(8)
  head.writeInt32BE(8 + body.length, 0)
  head.writeInt32BE(196608, 4)
  return Buffer.concat([head, body])
}

function message(type: string, body: string): Buffer {
  const head = Buffer.alloc(5)
  head.write(type, 0)
  head.writeInt32BE(4 + Buffer.byteLength(body), 1)
  return Buffer.concat([head, Buffer.from(body)])
}
