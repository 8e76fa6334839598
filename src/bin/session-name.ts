// Two program sessions on one store are two agents: the first is NAME, the next NAME-2.
//
// (1) A session is its program's process. Everything that process starts, including tools and hooks, has it as an
//     ancestor and so gets the same name.
// (2) A session keeps its name as long as it lives, even if other sessions end.
// (3) A name is free again once its process is gone.
// (4) If anything fails here, the agent uses its configured name: two sessions that share mail are better than a
//     session without mail.

import fs from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isatty } from 'node:tty'
import { isPerson } from '../core/agents/agent.ts'
import { digest } from '../ops/kit/digest.ts'
import { isFile } from './locate.ts'
import { isRunning, startingProgram } from './process-tree.ts'

/** Other sessions hold the lock for a millisecond each. */
const PATIENCE_MS = 2000

export async function nameOfSession(address: string, wanted: string): Promise<string> {
  // A person typing the command is not a session.
  if (isPerson(wanted) || isatty(0)) return wanted
  const program = startingProgram()
  if (program === undefined) return wanted
  try {
    const store = await digest(isFile(address) ? realFile(address) : address)
    return claimName({ store, wanted, program })
  } catch {
    // See (4).
    return wanted
  }
}

function realFile(path: string): string {
  const folder = dirname(path)
  return fs.existsSync(folder) ? join(fs.realpathSync(folder), basename(path)) : path
}

type SessionRow = { name: string; wanted: string; program: string }

function claimName({
  store,
  wanted,
  program,
}: Omit<SessionRow, 'name'> & { store: string }): string {
  const folder = join(homedir(), '.config/mailroom')
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'sessions.db')
  if (!fs.existsSync(path)) fs.closeSync(fs.openSync(path, 'a', 0o600))
  const db = new DatabaseSync(path, { timeout: PATIENCE_MS })
  try {
    // Take the write lock, so that two sessions starting together don't both find the same name free.
    db.exec('begin immediate')
    db.exec(
      'create table if not exists sessions (store text, name text, wanted text, program text, primary key (store, name)) strict',
    )
    const rows = db
      .prepare('select name, wanted, program from sessions where store = ?')
      .all(store) as SessionRow[]
    const own = rows.find((row) => row.wanted === wanted && row.program === program)
    if (own !== undefined) return own.name
    const ended = rows.filter((row) => !isRunning(row.program))
    for (const { name } of ended) {
      db.prepare('delete from sessions where store = ? and name = ?').run(store, name)
    }
    const taken = new Set(rows.filter((row) => !ended.includes(row)).map(({ name }) => name))
    const name = firstFree(wanted, taken)
    db.prepare('insert into sessions values (?, ?, ?, ?)').run(store, name, wanted, program)
    db.exec('commit')
    return name
  } finally {
    db.close()
  }
}

function firstFree(wanted: string, taken: Set<string>): string {
  const [own = '', ...instance] = wanted.split('@')
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : [`${own}-${count}`, ...instance].join('@')
    if (!taken.has(name)) return name
  }
}
