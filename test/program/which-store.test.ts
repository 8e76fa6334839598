// Which store a command uses, depending on where it is called.

import { expect, test } from 'bun:test'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { locateStore } from '../../src/bin/locate.ts'
import { PROGRAM } from '../worlds/program.ts'
import { freshSchema } from '../worlds/server.ts'
import { type Around, ask, folders, run } from './process.ts'

const folder = folders()

const STORE = '.agents/coord.db'

async function storeFrom(around: Around, ...flags: string[]): Promise<string> {
  return (await ask(['init', ...flags], around)).db_path
}

async function git(here: string, ...args: string[]) {
  const words = ['git', '-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args]
  const ran = await run([], { folder: here, program: words })
  if (ran.code !== 0) throw new Error(`git ${args.join(' ')}: ${ran.err}`)
}

test('--db names a file, relative or absolute, and wins over INBOX_DB', async () => {
  const here = folder()
  const env = { INBOX_DB: join(here, 'variable.db') }
  expect(await storeFrom({ folder: here }, '--db', 'a.db')).toBe(join(here, 'a.db'))
  expect(await storeFrom({ folder: here }, `--db=${here}/deep/b.db`)).toBe(join(here, 'deep/b.db'))
  expect(await storeFrom({ folder: here, env })).toBe(join(here, 'variable.db'))
  expect(await storeFrom({ folder: here, env }, '--db=c.db')).toBe(join(here, 'c.db'))
  expect(existsSync(join(here, '.agents'))).toBe(false)
})

test('--db before the command means the same', async () => {
  const here = folder()
  const ran = await run(['--db', 'a.db', 'init', '--json'], { folder: here })
  expect(JSON.parse(ran.out).db_path).toBe(join(here, 'a.db'))
})

test('--db and INBOX_DB name a PostgreSQL store, whose password is never shown', async () => {
  const here = folder()
  const { address } = freshSchema()
  const { password, host, pathname, searchParams } = new URL(address)
  const place = `postgres://${host}${pathname}?schema=${searchParams.get('schema')}`
  const made = await run(['init', `--db=${address}`, '--json'], { folder: here })
  expect(JSON.parse(made.out)).toMatchObject({ db_path: place, engine: 'postgres' })
  expect(made.err).toBe(`inbox: made a new store at ${place}\n`)
  expect(password).not.toBe('')
  expect(made.out + made.err).not.toContain(password)
  expect(await storeFrom({ folder: here, env: { INBOX_DB: address } })).toBe(place)
  expect(existsSync(join(here, '.agents'))).toBe(false)
})

test('an address that is neither is refused before anything is created', async () => {
  const here = folder()
  for (const [db, says] of [
    ['mysql://h/d', 'neither a file nor postgres://'],
    ['', '--db is empty'],
    ['postgres://h/d?schema=Big;drop', 'schema'],
    ['POSTGRES://h/d?schema=Big;drop', 'schema'],
    ['Mysql://h/d', 'neither a file nor postgres://'],
  ] as const) {
    const ran = await run(['init', `--db=${db}`], { folder: here })
    expect(ran).toMatchObject({ code: 30, out: '' })
    expect(ran.err).toContain(says)
  }
  expect(existsSync(join(here, '.agents'))).toBe(false)
})

test('without a name, the nearest store in this folder or a parent is used', async () => {
  const top = folder()
  const deep = join(top, 'a/b/c')
  mkdirSync(deep, { recursive: true })
  expect(await storeFrom({ folder: deep })).toBe(join(deep, STORE))
  expect(await storeFrom({ folder: join(top, 'a') })).toBe(join(top, 'a', STORE))
  expect(await storeFrom({ folder: join(top, 'a/b') })).toBe(join(top, 'a', STORE))
  expect(await storeFrom({ folder: deep })).toBe(join(deep, STORE))
})

test('in a repository, a new store is created at its root', async () => {
  const top = folder()
  await git(top, 'init', '-q')
  mkdirSync(join(top, 'src/deep'), { recursive: true })
  expect(await storeFrom({ folder: join(top, 'src/deep') })).toBe(join(top, STORE))
})

test("agents in linked worktrees share the main worktree's store", async () => {
  const top = folder()
  const main = join(top, 'main')
  mkdirSync(main)
  await git(main, 'init', '-q')
  await git(main, 'commit', '-q', '--allow-empty', '-m', 'first')
  await git(main, 'worktree', 'add', '-q', '../linked')
  mkdirSync(join(top, 'linked/src'))
  const linked = { folder: join(top, 'linked/src') }
  const { thread } = await ask(['send', '--from=lead', '--to=worker', '--subject=Hi'], linked)
  const claimed = await ask(['claim', '--agent=worker'], { folder: main })
  expect(claimed.thread.thread_id).toBe(thread.thread_id)
  expect(existsSync(join(top, 'linked/.agents'))).toBe(false)
  expect(realpathSync(await storeFrom(linked))).toBe(join(main, STORE))
})

test('a submodule is a separate repository', async () => {
  const top = folder()
  const inner = join(top, 'inner')
  const outer = join(top, 'outer')
  for (const path of [inner, outer]) {
    mkdirSync(path)
    await git(path, 'init', '-q')
    await git(path, 'commit', '-q', '--allow-empty', '-m', 'first')
  }
  await git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub')
  expect(await storeFrom({ folder: join(outer, 'sub') })).toBe(join(outer, 'sub', STORE))
})

test("another user's store is refused if it was found, and used if it is named", async () => {
  const here = folder()
  const path = await storeFrom({ folder: here })
  const found = { cwd: () => here, db: undefined, env: undefined }
  const mine = process.getuid?.() ?? 0
  expect(locateStore({ ...found, uid: mine })).toBe(path)
  expect(() => locateStore({ ...found, uid: mine + 1 })).toThrow('belongs to another user')
  expect(locateStore({ ...found, db: path, uid: mine + 1 })).toBe(path)
  // Only root can change a file's owner, so only root can test this on the program itself.
  if (mine !== 0) return
  chownSync(path, 12_345, 12_345)
  const ran = await run(['list'], { folder: here })
  expect(ran).toMatchObject({ code: 40, out: '' })
  expect(ran.err).toContain('belongs to another user')
  expect((await run(['list', `--db=${path}`], { folder: here })).code).toBe(0)
})

test('worktrees of a bare repository share its store, not one in the folder around it', async () => {
  const top = folder()
  await git(top, 'init', '-q', 'first')
  await git(join(top, 'first'), 'commit', '-q', '--allow-empty', '-m', 'first')
  for (const name of ['one', 'two']) {
    await git(top, 'clone', '-q', '--bare', 'first', `${name}.git`)
    await git(join(top, `${name}.git`), 'worktree', 'add', '-q', `../${name}`)
    expect(await storeFrom({ folder: join(top, name) })).toBe(join(top, `${name}.git`, STORE))
  }
  expect(await storeFrom({ folder: join(top, 'one.git') })).toBe(join(top, 'one.git', STORE))
})

test('a repository with a separate git folder has its store in its own folder', async () => {
  const top = folder()
  await git(top, 'init', '-q', '--separate-git-dir=apart', 'main')
  expect(await storeFrom({ folder: join(top, 'main') })).toBe(join(top, 'main', STORE))
})

test('doctor warns of a store, or of its log, that git tracks', async () => {
  const here = folder()
  await git(here, 'init', '-q')
  await storeFrom({ folder: here })
  const finding = async () => {
    const { code, out } = await run(['doctor', '--json'], { folder: here })
    expect(code).toBe(0)
    const { findings } = JSON.parse(out) as { findings: { check: string }[] }
    return findings.find(({ check }) => check === 'git')
  }
  expect(await finding()).toMatchObject({ ok: true })
  const log = join(here, `${STORE}-wal`)
  writeFileSync(log, '')
  await git(here, 'add', '-f', `${STORE}-wal`)
  rmSync(log)
  expect(await finding()).toMatchObject({
    ok: false,
    warning: true,
    detail: expect.stringContaining('coord.db-wal'),
    remedy: expect.stringContaining('git rm --cached'),
  })
})

test('a working folder whose name is not UTF-8 is refused, and no folder with an altered name is created', () => {
  const here = folder()
  const script = 'd="$(printf "caf\\351")"; mkdir "$d"; cd "$d"; "$@"; echo $?'
  const send = ['send', '--from=a', '--to=b', '--subject=x']
  const within = (words: string[]) =>
    Bun.spawnSync(['sh', '-c', script, 'sh', PROGRAM, ...send, ...words], { cwd: here })
  const refused = within([])
  expect(refused.stdout.toString()).toBe('50\n')
  expect(refused.stderr.toString()).toContain('is not UTF-8')
  expect(readdirSync(here)).toHaveLength(1)
  expect(within([`--db=${join(here, 'named.db')}`]).stdout.toString()).toEndWith('\n0\n')
})

test('INBOX_AGENT names the caller, and --agent and --from win over it', async () => {
  const here = folder()
  const env = { INBOX_AGENT: 'lead' }
  const words = ['send', '--to=worker', '--subject=Hi']
  expect((await ask(words, { folder: here, env })).thread.created_by).toBe('lead')
  const named = await ask([...words, '--agent=other'], { folder: here, env })
  expect(named.thread.created_by).toBe('other')
  const from = await ask([...words, '--from=third', '--agent=other'], { folder: here, env })
  expect(from.thread.created_by).toBe('third')
  const bad = await run(words, { folder: here, env: { INBOX_AGENT: 'not a name' } })
  expect(bad).toMatchObject({ code: 30, out: '' })
})
