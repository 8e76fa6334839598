import { afterAll, beforeAll, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { freshDatabase, languageLocale, type Postgres, startPostgres } from './postgres.ts'

let postgres: Postgres

beforeAll(async () => {
  postgres = await startPostgres()
})

afterAll(async () => {
  await postgres.stop()
})

test('the server is PostgreSQL 18, takes many clients, and does not flush', async () => {
  const [row] = await query(
    postgres.url,
    `select current_setting('server_version_num')::int / 10000 as version,
      current_setting('max_connections') as clients, current_setting('fsync') as fsync,
      current_setting('listen_addresses') as address`,
  )
  expect(row).toEqual({ version: 18, clients: '200', fsync: 'off', address: '127.0.0.1' })
})

test('a login needs the password', async () => {
  const url = new URL(postgres.url)
  url.password = 'wrong'
  await expect(query(url.href, 'select 1')).rejects.toThrow('password authentication failed')
})

test('a database with a language locale sorts differently from "C"', async () => {
  const order = "select string_agg(x, ' ' order by x) as xs from unnest('{a,B,_,Z,é}'::text[]) x"
  const plain = await freshDatabase(postgres.url)
  const language = await freshDatabase(postgres.url, { locale: languageLocale })
  expect(await query(plain.url, order)).toEqual([{ xs: 'B Z _ a é' }])
  expect(await query(language.url, order)).toEqual([{ xs: '_ a B é Z' }])
  await plain.drop()
  await language.drop()
  await expect(query(plain.url, 'select 1')).rejects.toThrow('does not exist')
})

test('a database is copied from its template', async () => {
  const template = await freshDatabase(postgres.url)
  await query(template.url, 'create table seen as select 1 as n')
  const name = new URL(template.url).pathname.slice(1)
  const copy = await freshDatabase(postgres.url, { template: name })
  expect(await query(copy.url, 'select n from seen')).toEqual([{ n: 1 }])
  await copy.drop()
  await template.drop()
})

test('committed rows survive restart and kill, at the same address', async () => {
  const database = await freshDatabase(postgres.url)
  await query(database.url, 'create table seen (n int)')
  const ends = [
    () => postgres.restart('fast'),
    () => postgres.restart('immediate'),
    () => postgres.kill().then(() => postgres.restart('fast')),
  ]
  for (const [n, end] of ends.entries()) {
    await query(database.url, `insert into seen values (${n})`)
    await end()
  }
  expect(await query(database.url, 'select n from seen order by n')).toHaveLength(3)
  expect(await postgres.log()).toContain('automatic recovery in progress')
  await database.drop()
})

const violentEnds: [NodeJS.Signals, string[]][] = [
  ['SIGKILL', []],
  ['SIGINT', []],
  ['SIGTERM', ['--no-orphans']],
]
for (const [signal, flags] of violentEnds) {
  test(`no server outlives its program after ${[signal, ...flags].join(' with ')}`, async () => {
    const script = `
      const { startPostgres } = await import(${JSON.stringify(join(import.meta.dir, 'postgres.ts'))})
      const { url, dataDir } = await startPostgres()
      console.log(JSON.stringify({ url, dataDir }))
      setInterval(() => {}, 1000)`
    const program = spawn(process.execPath, [...flags, '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(program.stdout, 'data')
    const { url, dataDir } = JSON.parse(String(line))
    expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }])
    program.kill(signal)
    await once(program, 'exit')
    while (existsSync(dirname(dataDir))) await sleep(5)
    await expect(query(url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  })
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
