// Decides which store a command uses. Using two stores by accident is the classic way to lose mail. So the nearest
// store wins, all worktrees of a repository share the main worktree's store, and a store that is found rather than
// named must belong to the caller and must not be reached through a link.

import fs from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { type Refusal, refuse } from '../core/error.ts'

const FOLDER = '.agents'
const STORE = join(FOLDER, 'coord.db')

export type Where = {
  /** Called only when needed, because the working folder may be gone. */
  cwd: () => string
  db: string | undefined
  env: string | undefined
  uid: number | undefined
}

export function locateStore({ cwd, db, env, uid }: Where): string {
  const named = db ?? env
  if (named !== undefined) {
    if (named.trim() === '')
      throw refuse.invalid_input`${db === undefined ? 'INBOX_DB' : '--db'} is empty: name a file or postgres://…`
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(named)) return mustBePostgres(named)
    return isAbsolute(named) ? resolve(named) : resolve(workingFolder(cwd), named)
  }
  const here = workingFolder(cwd)
  const nearest = upFrom(here).find((folder) => look(join(folder, STORE)) !== undefined)
  const root = nearest ?? repositoryRoot(here) ?? here
  const path = join(root, STORE)
  mustLieIn(root)
  // A worktree's .git can point anywhere, so a store found through it counts as found, not as named.
  const found = look(path)
  if (found === undefined) return path
  if (found.isSymbolicLink()) throw notNamed(`${path} is a link`)
  return mustBeOurs(path, found.uid, uid)
}

export function isDefaultPlace(path: string): boolean {
  return basename(path) === basename(STORE) && basename(dirname(path)) === FOLDER
}

function workingFolder(cwd: () => string): string {
  let here: string
  try {
    here = cwd()
  } catch {
    throw refuse.store_unusable`the working folder was removed; change to another, or name the store in full with --db`
  }
  mustBeCalled(here)
  return here
}

/** The runtime changes names that aren't UTF-8, so we would create a store in a different folder. */
function mustBeCalled(folder: string): void {
  if (!folder.includes('\ufffd')) return
  const [is, called] = [fs.statSync('.'), fs.statSync(folder, { throwIfNoEntry: false })]
  if (is.dev === called?.dev && is.ino === called.ino) return
  throw refuse.store_unusable`the path of the working folder, ${folder}, is not UTF-8; change to another, or name the store in full with --db`
}

/** Whether the address is a path; otherwise it is a PostgreSQL server's URL. */
export function isFile(address: string): boolean {
  return !/^postgres(ql)?:\/\//i.test(address)
}

/** A dangling link or an unreadable file isn't absent: opening it reports the problem. */
export function isAbsent(path: string): boolean {
  try {
    fs.lstatSync(path)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

function mustBePostgres(url: string): string {
  if (!isFile(url)) return url
  throw refuse.invalid_input`--db ${JSON.stringify(url)} is neither a file nor postgres://…`
}

function mustBeOurs(path: string, owner: number, uid: number | undefined): string {
  if (uid === undefined || owner === uid) return path
  throw notNamed(`${path} belongs to another user`)
}

function notNamed(why: string): Refusal {
  return refuse.forbidden`${why}; to use it anyway, name it with --db`
}

// A repository's links were created by its author, and must not lead to other files of this user.
function mustLieIn(root: string): void {
  const path = join(root, FOLDER)
  if (!look(path)?.isSymbolicLink()) return
  let way: string
  try {
    way = relative(fs.realpathSync(root), fs.realpathSync(path))
  } catch {
    throw notNamed(`${path} is a link that leads nowhere`)
  }
  if (way.startsWith('..') || isAbsolute(way)) throw notNamed(`${path} is a link to elsewhere`)
}

/** The root of the main worktree, read from git's files without running git. */
export function repositoryRoot(cwd: string): string | undefined {
  for (const folder of upFrom(cwd)) {
    const dotGit = join(folder, '.git')
    const found = look(dotGit)
    if (found === undefined) continue
    if (found.isDirectory()) return folder
    return mainWorktree(folder, dotGit) ?? folder
  }
  return undefined
}

// A linked worktree's .git is a file that names its folder under .git/worktrees of the main worktree; `commondir` in
// that folder points back to the main .git. A submodule has no commondir, because it is a separate repository.
function mainWorktree(folder: string, dotGit: string): string | undefined {
  try {
    const named = /^gitdir: (.+)$/m.exec(fs.readFileSync(dotGit, 'utf8'))?.[1]
    if (named === undefined) return undefined
    const own = isAbsolute(named) ? named : resolve(folder, named)
    const common = resolve(own, fs.readFileSync(join(own, 'commondir'), 'utf8').trim())
    return basename(common) === '.git' ? dirname(common) : (ownWorktree(common) ?? common)
  } catch {
    // The file is unreadable or names no worktree, so use the folder itself.
    return undefined
  }
}

// Git's folder may be outside its worktree, as with submodules. Its config may then name the worktree. A bare
// repository has no worktree, and the files next to it belong to other repositories.
function ownWorktree(common: string): string | undefined {
  const config = fs.readFileSync(join(common, 'config'), 'utf8')
  const core = /^\s*\[core\]([^[]*)/im.exec(config)?.[1] ?? ''
  const named = /^\s*worktree\s*=\s*"?(.+?)"?\s*$/im.exec(core)?.[1]
  return named === undefined ? undefined : resolve(common, named)
}

function* upFrom(start: string): Generator<string> {
  for (let folder = start; ; folder = dirname(folder)) {
    yield folder
    if (dirname(folder) === folder) return
  }
}

/** Doesn't follow links. Refuses a path we can't inspect: it exists, but belongs to someone else. */
function look(path: string) {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTDIR') return undefined
    throw refuse.forbidden`${path} cannot be read (${String(code)}); name a store with --db`
  }
}
