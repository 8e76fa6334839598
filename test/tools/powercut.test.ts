import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { ChildProcess } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { powerCut, type StartProgram } from './powercut.ts'

let home: string
let count = 0

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'mailroom-powercut-'))
})

afterAll(() => {
  rmSync(home, { recursive: true, force: true })
})

// Acknowledges each commit by printing its id afterward. The pause gives other writers a chance: next to a loop without
// a pause, SQLite's busy handler starves them.
const writer = `
  import { writeSync } from 'node:fs'
  import { DatabaseSync } from 'node:sqlite'
  const [file, synchronous, checkpoint, name] = process.argv.slice(2)
  const db = new DatabaseSync(file)
  db.exec('pragma busy_timeout = 5000; pragma synchronous = ' + synchronous + '; pragma wal_autocheckpoint = ' + checkpoint)
  const idle = new Int32Array(new SharedArrayBuffer(4))
  const insert = db.prepare('insert into t values (?)')
  for (let n = 0; ; n++) {
    insert.run(name + n)
    writeSync(1, name + n + '\\n')
    Atomics.wait(idle, 0, 0, 1)
  }`

test('with synchronous = full, no acknowledged commit is lost', async () => {
  for (let trial = 0; trial < 3; trial++) {
    const { acknowledged, stored } = await cutWriters({ synchronous: 'full', names: ['a'] })
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
  }
})

test('with synchronous = full, several processes that write and checkpoint lose none either', async () => {
  const names = ['a', 'b']
  for (let trial = 0; trial < 3; trial++) {
    const { acknowledged, stored } = await cutWriters({ synchronous: 'full', names })
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
  }
})

test('with synchronous = normal, acknowledged commits are lost', async () => {
  const { acknowledged, stored } = await cutWriters({ synchronous: 'normal', names: ['a'] })
  const lost = acknowledged.filter((id) => !stored.has(id))
  expect(lost.length).toBeGreaterThan(0)
  // Only the last commits can be lost, never one in the middle.
  expect(lost).toEqual(acknowledged.slice(-lost.length))
})

test("the shim does not release SQLite's locks", async () => {
  const { dir, shadow } = makeFolders()
  const file = join(dir, 'mail.db')
  await powerCut({
    dir,
    shadow,
    async run(_env, start) {
      const program = startWriter(start, file, 'full', 'a')
      await firstIds(program, 5)
      const inode = statSync(file).ino
      const locks = readFileSync('/proc/locks', 'utf8').split('\n')
      const own = locks.filter((line) => line.includes(` ${program.pid} `))
      expect(own.some((line) => line.includes('POSIX') && line.includes(`:${inode} `))).toBe(true)
    },
  })
})

test('a file survives as it was at its last flush', async () => {
  const { dir, shadow } = makeFolders()
  writeFileSync(join(dir, 'old'), 'there before')
  writeFileSync(join(dir, 'doomed'), 'there before')
  const script = `
    import * as fs from 'node:fs'
    process.chdir(${JSON.stringify(dir)})
    function write(name, text, flag = 'w+') {
      const fd = fs.openSync(name, flag)
      fs.writeSync(fd, text)
      return fd
    }
    fs.mkdirSync('deep/er', { recursive: true })
    fs.fsyncSync(write('deep/er/flushed', 'all'))
    fs.fdatasyncSync(write('write-only', 'all', 'w'))
    const fd = write('in-part', 'flushed')
    fs.fsyncSync(fd)
    fs.writeSync(fd, ' and not')
    write('never', 'lost')
    write('old', 'changed')
    fs.unlinkSync('doomed')
    fs.fsyncSync(write('a', 'renamed with contents'))
    fs.renameSync('a', 'careful')
    write('b', 'renamed without')
    fs.renameSync('b', ${JSON.stringify(join(dir, 'careless'))})
    fs.fsyncSync(write('index-shm', 'never copied'))
    console.log('ready')
    setInterval(() => {}, 1000)`
  const file = join(home, 'files.ts')
  writeFileSync(file, script)
  await powerCut({
    dir,
    shadow,
    run: (_env, start) => firstIds(start(process.execPath, [file]), 1),
  })
  const names = ['deep/er/flushed', 'write-only', 'in-part', 'never', 'old', 'doomed']
  names.push('a', 'careful', 'b', 'careless', 'index-shm')
  expect(Object.fromEntries(names.map((name) => [name, contents(join(shadow, name))]))).toEqual({
    'deep/er/flushed': 'all',
    'write-only': 'all',
    'in-part': 'flushed',
    never: undefined,
    old: 'there before',
    doomed: undefined,
    a: undefined,
    careful: 'renamed with contents',
    b: undefined,
    careless: '',
    'index-shm': undefined,
  })
})

test('a failed run still ends its programs', async () => {
  const { dir, shadow } = makeFolders()
  let program: ChildProcess | undefined
  const cut = powerCut({
    dir,
    shadow,
    async run(_env, start) {
      program = startWriter(start, join(dir, 'mail.db'), 'full', 'a')
      await firstIds(program, 1)
      throw new Error('on purpose')
    },
  })
  await expect(cut).rejects.toThrow('on purpose')
  expect(program?.signalCode).toBe('SIGKILL')
})

async function cutWriters(trial: { synchronous: string; names: string[] }) {
  const { dir, shadow } = makeFolders()
  const acknowledged: string[] = []
  await powerCut({
    dir,
    shadow,
    async run(_env, start) {
      const writers = trial.names.map((name) =>
        startWriter(start, join(dir, 'mail.db'), trial.synchronous, name),
      )
      await Promise.all(writers.map((each) => firstIds(each, 30, (id) => acknowledged.push(id))))
    },
  })
  const db = new DatabaseSync(join(shadow, 'mail.db'))
  const stored = new Set(
    db
      .prepare('select id from t')
      .all()
      .map(({ id }) => String(id)),
  )
  expect(db.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
  db.close()
  expect(acknowledged.length).toBeGreaterThanOrEqual(30 * trial.names.length)
  return { acknowledged, stored }
}

// A checkpoint every 15 pages, so that the database file is flushed between commits. No checkpoints with `normal`,
// which flushes only at a checkpoint, so a cut right after one would lose nothing.
function startWriter(start: StartProgram, file: string, synchronous: string, name: string) {
  const script = join(home, 'writer.ts')
  writeFileSync(script, writer)
  const checkpoint = synchronous === 'full' ? '15' : '0'
  return start(process.execPath, [script, file, synchronous, checkpoint, name])
}

/** Resolves after this many lines; later lines, up to the cut, are passed on too. */
function firstIds(program: ChildProcess, wanted: number, tell = (_id: string) => {}) {
  if (!program.stdout) throw new Error('No output to read.')
  const lines = createInterface({ input: program.stdout })
  let seen = 0
  return new Promise<void>((resolve, reject) => {
    program.on('exit', () => reject(new Error(`It ended after ${seen} lines.`)))
    lines.on('line', (id) => {
      tell(id)
      if (++seen === wanted) resolve()
    })
  })
}

// Creates the database before the writers start, because two that turn on WAL at the same time refuse each other.
function makeFolders(): { dir: string; shadow: string } {
  const dir = join(home, `disk-${++count}`)
  mkdirSync(dir)
  const db = new DatabaseSync(join(dir, 'mail.db'))
  db.exec('pragma journal_mode = wal; create table t (id)')
  db.close()
  return { dir, shadow: join(home, `after-${count}`) }
}

function contents(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
