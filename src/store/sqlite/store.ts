// The SQLite store. One connection writes, another reads, so reads outside a unit of work never see its uncommitted
// rows.

import type { DatabaseSync } from 'node:sqlite'
import type { Keeper } from '../../core/keeping/keeper.ts'
import type { RecordList } from '../../core/record.ts'
import type { Point, Store } from '../../core/store.ts'
import type { Params } from '../compile.ts'
import type { AnyQuery, Querier } from '../querier.ts'
import { makeStoreReads } from '../reads.ts'
import { mustTakeNews } from '../write-refusals.ts'
import { Connection, moment } from './connection.ts'
import { isDamage, sqliteRefusal } from './errors.ts'
import { NO_FILES, watchFiles } from './file/same-files.ts'
import { mustHaveRoom, NOWHERE, openAgain, openDatabase, type SqliteOptions } from './open.ts'
import { makeWriteQueue } from './write.ts'

export type SqliteStoreOptions = SqliteOptions & {
  afterCommit: () => void
  onPoint?: ((point: Point) => void) | undefined
  systemClock: () => number
  /** Set for a process that makes one call and exits: no other call will share its commit. */
  alone?: boolean | undefined
  /** The records the log may contain. The default is all that the program knows. */
  records?: RecordList | undefined
}

/** Each check only reads shared memory and costs next to nothing. */
const LOOKOUT_MS = 1000

export async function openSqlite(options: SqliteStoreOptions): Promise<Store> {
  const { path, afterCommit, systemClock } = options
  // The first open creates and migrates the store. Its connection is handed to the first reader or writer that asks.
  const { db, identity, journal } = await openDatabase(options)
  const files =
    path === NOWHERE
      ? NO_FILES
      : watchFiles({
          file: path,
          real: db.location() ?? path,
          identity,
          hasLog: journal === 'wal',
          isSound: (bytes, before) => isSound(openAgain(path, journal), bytes, before),
        })
  let spare: Connection | undefined = new Connection(db, path, files)
  let writer: Connection | undefined
  let reader: Connection | undefined
  let keeping: Connection | undefined
  let closed = false

  const connect = (): Connection => {
    files.mustNotBeGone()
    if (closed) throw new Error('the store is closed')
    // A second connection must open the same file, but by now the path may lead to another one or to none.
    if (spare === undefined) files.mustBeShown()
    const connection = spare ?? new Connection(openAgain(path, journal), path, files)
    // A store in memory can only be reached through this connection.
    if (path !== NOWHERE) spare = undefined
    return connection
  }
  const write = (): Connection => {
    files.mustNotBeGone()
    writer ??= connect().forWriting()
    return writer
  }
  const read = (): Connection => {
    reader ??= path === NOWHERE ? connect() : connect().forReading()
    return reader
  }

  /** A damaged file stays refused until someone restores it, which requires a restart. */
  let damage: unknown
  const refusalOf = (error: unknown): unknown => {
    const refusal = sqliteRefusal(error, path)
    if (isDamage(error)) damage = refusal
    return refusal
  }
  const asking = <T>(ask: () => T): T => {
    files.mustNotBeGone()
    try {
      return ask()
    } catch (error) {
      throw refusalOf(error)
    }
  }
  const readNow = () => asking(() => moment(read(), systemClock))
  const readQuerier: Querier = {
    async all<Row>(query: AnyQuery, params: Params) {
      return asking(() => read().all<Row>(query, params, readNow))
    },
  }

  const queue = makeWriteQueue({
    path,
    refusalOf,
    connect: write,
    afterCommit,
    systemClock,
    onPoint: options.onPoint ?? (() => {}),
    alone: options.alone ?? false,
    records: options.records,
  })

  const keeper = async (): Promise<Keeper> => {
    const [{ makeKeeper }, { sqliteKeeper }] = await Promise.all([
      import('../keeping/keeper.ts'),
      import('./keeper.ts'),
    ])
    // The keeper has a separate connection: a backup can't run inside a transaction, and the writer may be in one.
    keeping ??= connect()
    keeping.db.exec('pragma busy_timeout = 5000')
    return makeKeeper(readQuerier, sqliteKeeper(keeping), options.records)
  }

  let left: Promise<void> | undefined
  void files.gone.then(() => {
    // Wait for a later turn of the event loop, because the code that found the loss may have a transaction open.
    left = new Promise((done) => setImmediate(done)).then(() => {
      files.removeLeftLog(() => emptyLog([writer, keeping, spare, reader]))
    })
  })
  const reads = makeStoreReads(readQuerier, async () => readNow(), options.records)

  return {
    engine: 'sqlite',
    place: path,
    gone: files.gone,
    ...reads,

    async answered(idempotency) {
      const written = await reads.answered(idempotency)
      // Returning a stored answer is an acknowledgment as well.
      if (written !== null) files.mustBeShown()
      return written
    },

    write: queue.write,
    writeWith: queue.writeWith,

    async mustTakeWrites() {
      files.mustBeShown()
      if (damage !== undefined) throw damage
      if (path !== NOWHERE) mustHaveRoom(path)
      await mustTakeNews({ write: queue.write, place: path }, readQuerier)
    },

    lookout() {
      let seen = -1
      return {
        everyMs: LOOKOUT_MS,
        async changed() {
          files.mustBeShown()
          const row = asking(() => read().db.prepare('pragma data_version').get())
          const { data_version: version } = row as { data_version: number }
          const changed = version !== seen
          seen = version
          return changed
        },
      }
    },

    keeper,

    async close() {
      await queue.emptied()
      await left
      closed = true
      const open = [...new Set([spare, reader, writer, keeping])].filter((one) => one !== undefined)
      if (files.mayClose()) for (const connection of open) connection.db.close()
      else NEVER_CLOSED.push(...open)
      files.end()
    },
  }
}

/** `db` is a new connection, so it hasn't cached any of the file's earlier content. */
function isSound(db: DatabaseSync, bytes: number, before: number): boolean {
  try {
    const need = db.prepare(
      'select page_count * page_size as n from pragma_page_count, pragma_page_size',
    )
    if (bytes > before && bytes <= (need.get() as { n: number }).n) return true
    const found = db.prepare('pragma integrity_check(1)').get() as Record<string, unknown>
    return found.integrity_check === 'ok'
  } catch (error) {
    if (isDamage(error)) return false
    throw error
  } finally {
    db.close()
  }
}

/** Connections to overwritten files stay here until the process ends, so that closing them doesn't copy anything. */
const NEVER_CLOSED: Connection[] = []

/** Copies the whole log into the file it belongs to. */
function emptyLog(connections: (Connection | undefined)[]): boolean {
  try {
    const { db } = connections.find((one) => one !== undefined) as Connection
    const found = db.prepare('pragma wal_checkpoint').get()
    const { busy, log, checkpointed } = found as Record<'busy' | 'log' | 'checkpointed', number>
    return busy === 0 && log === checkpointed
  } catch {
    // Part of the log exists nowhere else, so it stays where it is.
    return false
  }
}
