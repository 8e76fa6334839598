import { afterAll, beforeAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { slowFlush } from './flush.ts'
import { startPostgres } from './postgres.ts'

/** Far longer than a disk normally takes. */
const delayMs = 200
const commits = 5
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailroom-flush-'))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

// Prints only the time its commits took, excluding program startup.
const script = `
  import { DatabaseSync } from 'node:sqlite'
  const db = new DatabaseSync(process.argv[2])
  db.exec('pragma journal_mode = wal; pragma synchronous = full; create table t (n)')
  const startedAt = performance.now()
  for (let n = 0; n < ${commits}; n++) db.exec('insert into t values (1)')
  console.log(performance.now() - startedAt)`

test('a commit through Bun waits for the slow disk', () => {
  const file = join(folder, 'commits.ts')
  writeFileSync(file, script)
  expectSlow((env, name) => runMs(process.execPath, [file, join(folder, name)], env))
})

test('a commit through a compiled program waits for the slow disk', () => {
  const file = join(folder, 'compiled.ts')
  const program = join(folder, 'compiled')
  copyFileSync(join(folder, 'commits.ts'), file)
  const built = spawnSync(process.execPath, ['build', '--compile', file, '--outfile', program])
  expect(built.status).toBe(0)
  expectSlow((env, name) => runMs(program, [join(folder, `compiled-${name}`)], env))
})

const shell = Bun.which('sqlite3')
test.skipIf(!shell)('a commit through the sqlite3 shell waits for the slow disk', () => {
  const sql = `pragma journal_mode = wal; pragma synchronous = full; create table t (n);
    ${'insert into t values (1);'.repeat(commits)}`
  expectSlow((env, name) => {
    const startedAt = performance.now()
    const { status } = spawnSync(shell ?? '', [join(folder, `shell-${name}`), sql], { env })
    expect(status).toBe(0)
    return performance.now() - startedAt
  })
})

test('a commit of PostgreSQL waits for the slow disk', async () => {
  const postgres = await startPostgres({ durable: true, env: slowFlush(delayMs) })
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  await client.query('create table t (n int)')
  const startedAt = performance.now()
  for (let n = 0; n < commits; n++) await client.query('insert into t values (1)')
  const tookMs = performance.now() - startedAt
  await client.end()
  await postgres.stop()
  expect(tookMs).toBeGreaterThanOrEqual(commits * delayMs)
})

function expectSlow(measure: (env: Record<string, string>, name: string) => number): void {
  expect(measure(slowFlush(delayMs), 'slow.db')).toBeGreaterThanOrEqual(commits * delayMs)
}

function runMs(program: string, args: string[], env: Record<string, string>): number {
  const { stdout, stderr, status } = spawnSync(program, args, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return Number(stdout)
}
