import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { Refusal } from '../core/error.ts'
import { locateStore, repositoryRoot } from './locate.ts'

let top: string
const me = process.getuid?.()

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'mailroom-locate-')))
})

afterEach(() => {
  rmSync(top, { recursive: true })
})

function folder(...parts: string[]): string {
  const path = join(top, ...parts)
  mkdirSync(path, { recursive: true })
  return path
}

function storeIn(...parts: string[]): string {
  const path = join(folder(...parts, '.agents'), 'coord.db')
  writeFileSync(path, '')
  return path
}

function locate(cwd: string, named: { db?: string; env?: string } = {}, uid = me): string {
  return locateStore({ cwd: () => cwd, db: named.db, env: named.env, uid })
}

function refusalOf(call: () => string): Refusal {
  try {
    call()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('it was not refused')
}

function repository(...parts: string[]): string {
  folder(...parts, '.git')
  return join(top, ...parts)
}

/** Writes the files that `git worktree add` creates, with absolute or, as newer versions may do, relative paths. */
function worktree(root: string, path: string, style: 'absolute' | 'relative'): string {
  const own = join(root, '.git', 'worktrees', basename(path))
  mkdirSync(own, { recursive: true })
  mkdirSync(path, { recursive: true })
  writeFileSync(join(own, 'commondir'), '../..\n')
  const gitdir = style === 'absolute' ? own : relative(path, own)
  writeFileSync(join(path, '.git'), `gitdir: ${gitdir}\n`)
  return path
}

test('--db wins over INBOX_DB, and INBOX_DB over a store it finds', () => {
  storeIn()
  expect(locate(top, { db: 'a.db', env: '/b.db' })).toBe(join(top, 'a.db'))
  expect(locate(top, { env: 'b.db' })).toBe(join(top, 'b.db'))
  expect(locate(top, { db: '/c/d.db' })).toBe('/c/d.db')
})

test('accepts a PostgreSQL address unchanged, and rejects other schemes', () => {
  for (const url of [
    'postgres://u@h/d?schema=s',
    'postgresql://h/d',
    'POSTGRES://h/d',
    'PostgreSQL://h/d',
  ]) {
    expect(locate(top, { db: url })).toBe(url)
  }
  for (const url of [
    'mysql://h/d',
    'https://h/d',
    'file:///x.db',
    'MYSQL://h/d',
    'git+ssh://h/d',
  ]) {
    expect(refusalOf(() => locate(top, { db: url })).code).toBe('invalid_input')
  }
})

test('rejects an empty name and says where it came from', () => {
  expect(refusalOf(() => locate(top, { db: '' })).message).toContain('--db')
  expect(refusalOf(() => locate(top, { env: ' ' })).message).toContain('INBOX_DB')
})

test('the nearest store up the tree wins', () => {
  const outer = storeIn('project')
  const deep = folder('project', 'a', 'b')
  expect(locate(deep)).toBe(outer)
  const inner = storeIn('project', 'a')
  expect(locate(deep)).toBe(inner)
})

test('puts a new store at the repository root, or in this folder outside a repository', () => {
  const root = repository('repo')
  const deep = folder('repo', 'src', 'deep')
  expect(locate(deep)).toBe(join(root, '.agents', 'coord.db'))
  const plain = folder('plain')
  expect(repositoryRoot(plain)).toBeUndefined()
  expect(locate(plain)).toBe(join(plain, '.agents', 'coord.db'))
})

test('linked worktrees share the main worktree’s store, wherever they are', () => {
  const root = repository('repo')
  for (const style of ['absolute', 'relative'] as const) {
    for (const path of [join(top, 'elsewhere', style), join(root, '.worktrees', style)]) {
      const linked = worktree(root, path, style)
      expect(repositoryRoot(linked)).toBe(root)
      expect(locate(linked)).toBe(join(root, '.agents', 'coord.db'))
      const deep = join(linked, 'src')
      mkdirSync(deep)
      expect(locate(deep)).toBe(join(root, '.agents', 'coord.db'))
    }
  }
})

test('treats a submodule as its own repository', () => {
  const root = repository('repo')
  folder('repo', '.git', 'modules', 'vendor')
  const vendor = folder('repo', 'vendor')
  writeFileSync(join(vendor, '.git'), 'gitdir: ../.git/modules/vendor\n')
  expect(repositoryRoot(vendor)).toBe(vendor)
  expect(repositoryRoot(root)).toBe(root)
})

test('an unusable .git file makes its folder the root', () => {
  const odd = folder('odd')
  for (const text of ['', 'gitdir: /nowhere/at/all\n', 'nonsense', 'gitdir: \n']) {
    writeFileSync(join(odd, '.git'), text)
    expect(repositoryRoot(odd)).toBe(odd)
  }
})

test('rejects another user’s store if found, but accepts it if named', () => {
  const found = storeIn('theirs')
  const cwd = folder('theirs', 'deep')
  const stranger = (me ?? 0) + 1
  expect(refusalOf(() => locate(cwd, {}, stranger))).toMatchObject({ code: 'forbidden' })
  expect(locate(cwd, { db: found }, stranger)).toBe(found)
  expect(locate(cwd, { env: found }, stranger)).toBe(found)
  // On systems without user ids there is nothing to compare.
  expect(locateStore({ cwd: () => cwd, db: undefined, env: undefined, uid: undefined })).toBe(found)
})

test('rejects a worktree that leads to another user’s store', () => {
  const theirs = repository('theirs')
  storeIn('theirs')
  const bait = worktree(theirs, join(top, 'bait'), 'absolute')
  expect(refusalOf(() => locate(bait, {}, (me ?? 0) + 1))).toMatchObject({ code: 'forbidden' })
})

/** Writes the files that `git worktree add` creates if git's folder is outside the main worktree. */
function worktreeOf(common: string, path: string): string {
  const own = join(common, 'worktrees', basename(path))
  mkdirSync(own, { recursive: true })
  mkdirSync(path, { recursive: true })
  writeFileSync(join(own, 'commondir'), '../..\n')
  writeFileSync(join(path, '.git'), `gitdir: ${own}\n`)
  return path
}

test('worktrees of a bare repository share its own folder, not the one around it', () => {
  const bare = folder('repo.git')
  const linked = worktreeOf(bare, join(top, 'linked'))
  // First there's no config, then configs without a worktree, then one that sets it in the wrong section.
  expect(repositoryRoot(linked)).toBe(linked)
  for (const config of ['', '[core]\n\tbare = true\n', '[other]\n\tworktree = /elsewhere\n']) {
    writeFileSync(join(bare, 'config'), config)
    expect(repositoryRoot(linked)).toBe(bare)
  }
  expect(locate(linked)).toBe(join(bare, '.agents', 'coord.db'))
})

test('finds a separate git directory’s worktree from its config', () => {
  const vendor = folder('repo', 'vendor')
  const common = folder('repo', '.git', 'modules', 'vendor')
  writeFileSync(join(vendor, '.git'), 'gitdir: ../.git/modules/vendor\n')
  writeFileSync(join(common, 'config'), '[core]\n\tbare = false\n\tworktree = ../../../vendor\n')
  expect(repositoryRoot(vendor)).toBe(vendor)
  expect(repositoryRoot(worktreeOf(common, join(top, 'linked')))).toBe(vendor)
})

test('rejects a found store that is a link, but accepts it if named', () => {
  const agents = folder('repo', '.agents')
  const path = join(agents, 'coord.db')
  writeFileSync(join(top, 'other.db'), '')
  for (const target of ['../../other.db', '../../nothing.db', 'coord.db']) {
    symlinkSync(target, path)
    const refusal = refusalOf(() => locate(folder('repo', 'deep')))
    expect(refusal.code).toBe('forbidden')
    expect(refusal.message).toContain('--db')
    expect(locate(top, { db: path })).toBe(path)
    rmSync(path)
  }
})

test('rejects a store folder that links outside the repository', () => {
  const root = repository('repo')
  storeIn('other')
  folder('empty')
  for (const target of ['../other/.agents', '../empty', '../nothing', '.agents', '..']) {
    symlinkSync(target, join(root, '.agents'))
    const refusal = refusalOf(() => locate(root))
    expect({ target, code: refusal.code }).toEqual({ target, code: 'forbidden' })
    expect(refusal.message).toContain('--db')
    rmSync(join(root, '.agents'))
  }
  folder('repo', 'agents')
  symlinkSync('agents', join(root, '.agents'))
  expect(locate(root)).toBe(join(root, '.agents', 'coord.db'))
})

test('ignores a file named .agents', () => {
  writeFileSync(join(top, '.agents'), '')
  const inner = repository('inner')
  expect(locate(inner)).toBe(join(inner, '.agents', 'coord.db'))
})

test('does not need the working folder for a complete name', () => {
  const cwd = () => {
    throw new Error('removed')
  }
  const from = (db?: string) => locateStore({ cwd, db, env: undefined, uid: me })
  expect(from('/a.db')).toBe('/a.db')
  expect(from('postgres://h/d')).toBe('postgres://h/d')
  expect(refusalOf(() => from('a.db')).code).toBe('store_unusable')
  expect(refusalOf(() => from()).code).toBe('store_unusable')
})
