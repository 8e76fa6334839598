import { basename, dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { ERASING, type Finding } from '../../core/keeping/keeper.ts'
import type { EngineKeeper } from '../keeping/keeper.ts'
import type { Write } from '../querier.ts'
import { begin, type Connection, commit } from './connection.ts'
import { sqliteRefusal } from './errors.ts'
import { backUp } from './file/backup.ts'
import { notIgnoredByGit } from './file/ignored.ts'
import { retryPatiently } from './file/patience.ts'
import { logBytes } from './file/shrink.ts'
import { findTracked } from './file/tracked.ts'

/** If the log is larger than this, a reader has kept SQLite from reusing it. */
const LARGE_WAL_BYTES = 64 * 1024 * 1024

export function sqliteKeeper(connection: Connection): EngineKeeper {
  const { db, path } = connection
  const transact = async (work: () => boolean): Promise<boolean> => {
    try {
      await begin(connection)
      const isDone = work()
      if (isDone) commit(connection)
      else db.exec('rollback')
      return isDone
    } catch (error) {
      if (db.isTransaction) db.exec('rollback')
      throw sqliteRefusal(error, path)
    }
  }
  const runAll = (writes: Write[]): true => {
    for (const { query, params } of writes) connection.run(query, params)
    return true
  }
  return {
    async batch(writes) {
      await transact(() => runAll(writes))
    },

    batchAt: ({ endsAt, past }, writes) =>
      transact(() => {
        if (lastEventId(connection) !== endsAt) return false
        if (past !== undefined) raiseNextEventId(db, past)
        return runAll(writes)
      }),

    async backup(file) {
      backUp(db, file)
    },

    async forgetRemoved(mostBytes) {
      const erasing = erasingOf(db)
      if (erasing === undefined) return true
      // Callers must never wait here for a slow reader, so the write-ahead log is emptied immediately or not at all.
      db.exec('pragma busy_timeout = 0')
      try {
        const isSmall = fileBytes(db) <= mostBytes
        // Overwriting rows doesn't reach every copy: when SQLite rebuilds a page to share its rows with its neighbors,
        // old bytes stay between the rows.
        if (isSmall) await retryPatiently(path, () => db.exec('vacuum'))
        const { busy } = db.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number }
        if (!isSmall || busy !== 0) return false
        // Keep the setting if more content has been deleted since it was read.
        const forget = db.prepare('delete from settings where name = ?1 and value = ?2')
        await retryPatiently(path, () => forget.run(ERASING, erasing))
        return true
      } catch {
        return false
      } finally {
        db.exec('pragma busy_timeout = 5000')
      }
    },

    async inspect() {
      try {
        return findingsOf(db, path)
      } catch (error) {
        throw sqliteRefusal(error, path)
      }
    },
  }
}

function lastEventId(connection: Connection): number {
  const noMoment = () => {
    throw new Error('the end of the log is asked for without a moment')
  }
  const [row] = connection.all<{ event_id: number }>('event_last', {}, noMoment)
  return Number(row?.event_id)
}

function raiseNextEventId(db: DatabaseSync, past: number): void {
  // If the whole log was pruned, there's no event left that would create the row.
  db.exec(`insert into sqlite_sequence (name, seq) select 'events', 0
           where not exists (select 1 from sqlite_sequence where name = 'events')`)
  db.prepare(`update sqlite_sequence set seq = max(seq, ?1) where name = 'events'`).run(
    BigInt(past),
  )
}

function erasingOf(db: DatabaseSync): string | undefined {
  const row = db.prepare('select value from settings where name = ?1').get(ERASING)
  return (row as { value: string } | undefined)?.value
}

function fileBytes(db: DatabaseSync): number {
  const sizes = db.prepare(
    'select page_count * page_size as n from pragma_page_count, pragma_page_size',
  )
  return (sizes.get() as { n: number }).n
}

function findingsOf(db: DatabaseSync, path: string): Finding[] {
  const value = (pragma: string) =>
    Object.values(db.prepare(`pragma ${pragma}`).get() as Record<string, unknown>)[0]
  const findings: Finding[] = []
  const integrity = String(value('integrity_check'))
  findings.push({
    check: 'integrity',
    ok: integrity === 'ok',
    detail: integrity,
    remedy: "restore a backup made with 'inbox backup'",
  })
  const broken = db.prepare('pragma foreign_key_check').all()
  findings.push({
    check: 'references',
    ok: broken.length === 0,
    detail: broken.length === 0 ? 'every row has its parent' : `${broken.length} rows without`,
    remedy: "export what is there with 'inbox export' and import it into a new store",
  })
  // Our stores have no triggers or views. Another program's triggers would change rows without the log.
  const strange = db
    .prepare(
      `select type || ' ' || name as it from sqlite_schema where type in ('trigger', 'view')`,
    )
    .all() as { it: string }[]
  findings.push({
    check: 'schema',
    ok: strange.length === 0,
    detail:
      strange.length === 0
        ? 'no triggers and no views'
        : `not made by Mailroom: ${strange.map(({ it }) => it).join(', ')}`,
    remedy: "export what is there with 'inbox export' and import it into a new store",
  })
  findings.push(checkGit(path), checkErased(db))
  const { v } = db.prepare('select sqlite_version() as v').get() as { v: string }
  const synchronous = { 0: 'off', 1: 'normal', 2: 'full', 3: 'extra' }[Number(value('synchronous'))]
  findings.push({
    check: 'durability',
    ok: synchronous === 'full' || synchronous === 'extra',
    detail: `SQLite ${v}, journal ${value('journal_mode')}, synchronous ${synchronous}`,
  })
  const wal = logBytes(path)
  findings.push({
    check: 'wal',
    ok: wal <= LARGE_WAL_BYTES,
    detail: `${wal} bytes waiting in the write-ahead log`,
    warning: true,
    remedy: 'end programs that keep a read open; the log shrinks when the last one closes',
  })
  return findings
}

function checkErased(db: DatabaseSync): Finding {
  const isErased = erasingOf(db) === undefined
  return {
    check: 'erased',
    ok: isErased,
    detail: isErased
      ? 'the file holds nothing of deleted pushes'
      : 'the file may still hold parts of deleted pushes',
    warning: true,
    remedy: "run 'inbox prune': it rewrites the file",
  }
}

/** SQLite applies any log it finds next to a store, and committing the store to git publishes all its mail. */
function checkGit(path: string): Finding {
  const files = ['', '-wal', '-journal'].map((suffix) => path + suffix)
  const namesOf = (some: string[]) => some.map((file) => basename(file)).join(' and ')
  const kept = namesOf(findTracked(files))
  const named = `let the .gitignore in ${dirname(path)} name ${basename(path)}*`
  if (kept !== '') {
    return {
      check: 'git',
      ok: false,
      detail: `git keeps ${kept}: a pull can change the store, and a push shows it`,
      warning: true,
      remedy: `run 'git rm --cached' for ${kept}, and ${named}`,
    }
  }
  const open = namesOf(notIgnoredByGit(files))
  return {
    check: 'git',
    ok: open === '',
    detail:
      open === ''
        ? 'git keeps no file of the store'
        : `git does not ignore ${open}: adding everything to a commit would add your mail`,
    warning: true,
    remedy: named,
  }
}
