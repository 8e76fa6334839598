// Which store a command means. Two stores by accident is the classic way to lose mail, so: the nearest
// one wins, worktrees of one repository share the main worktree's, and a store that is found rather
// than named must belong to the caller.

import { readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { refuse } from '../core/error.ts'

const STORE = join('.agents', 'coord.db')

export type Where = {
  cwd: string
  db: string | undefined
  env: string | undefined
  uid: number | undefined
}

export function locateStore({ cwd, db, env, uid }: Where): string {
  const named = db ?? env
  if (named !== undefined) {
    if (named.trim() === '') {
      throw refuse(
        'invalid_input',
        `${db === undefined ? 'INBOX_DB' : '--db'} is empty: name a file or postgres://…`,
      )
    }
    return /^[a-z]+:\/\//.test(named) ? mustBePostgres(named) : resolve(cwd, named)
  }
  const nearest = upFrom(cwd).find((folder) => stat(join(folder, STORE)) !== undefined)
  const path = join(nearest ?? repositoryRoot(cwd) ?? cwd, STORE)
  // A worktree's .git may lead anywhere: what it leads to is found, too, and not named.
  const found = stat(path)
  return found === undefined ? path : mustBeOurs(path, found.uid, uid)
}

function mustBePostgres(url: string): string {
  if (/^postgres(ql)?:\/\//.test(url)) return url
  throw refuse('invalid_input', `--db ${JSON.stringify(url)} is neither a file nor postgres://…`)
}

function mustBeOurs(path: string, owner: number, uid: number | undefined): string {
  if (uid === undefined || owner === uid) return path
  throw refuse(
    'forbidden',
    `${path} belongs to another user; to use it all the same, name it with --db`,
  )
}

/** The main worktree's root. Git's own files say it; git itself is never run. */
export function repositoryRoot(cwd: string): string | undefined {
  for (const folder of upFrom(cwd)) {
    const dotGit = join(folder, '.git')
    const found = stat(dotGit)
    if (found === undefined) continue
    if (found.isDirectory()) return folder
    return mainWorktree(folder, dotGit) ?? folder
  }
  return undefined
}

// A linked worktree's .git is a file that names its folder under the main one's .git/worktrees, where
// `commondir` leads to that .git. A submodule's has no commondir: it is a repository of its own.
function mainWorktree(folder: string, dotGit: string): string | undefined {
  try {
    const named = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, 'utf8'))?.[1]
    if (named === undefined) return undefined
    const own = isAbsolute(named) ? named : resolve(folder, named)
    const common = resolve(own, readFileSync(join(own, 'commondir'), 'utf8').trim())
    return dirname(common)
  } catch {
    // Unreadable or not a worktree: the folder itself is the root.
    return undefined
  }
}

function* upFrom(start: string): Generator<string> {
  for (let folder = start; ; folder = dirname(folder)) {
    yield folder
    if (dirname(folder) === folder) return
  }
}

function stat(path: string) {
  return statSync(path, { throwIfNoEntry: false })
}
