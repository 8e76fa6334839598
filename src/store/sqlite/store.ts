// The SQLite store. One connection writes, another reads.
//
// Reads outside a unit of work never see its uncommitted rows: they have their own connection.

import { refuse } from '../../core/error.ts'
import type { Keeper } from '../../core/keeping/keeper.ts'
import type { RecordList } from '../../core/record.ts'
import type { Point, Store } from '../../core/store.ts'
import type { Params } from '../compile.ts'
import type { AnyQuery, Querier, Write } from '../querier.ts'
import { makeStoreReads } from '../reads.ts'
import { Connection, moment } from './connection.ts'
import { sqliteRefusal } from './errors.ts'
import { fileIdentity, NOWHERE, openAgain, openDatabase, type SqliteOptions } from './open.ts'
import { makeWriteQueue } from './write.ts'

export type SqliteStoreOptions = SqliteOptions & {
  afterCommit: () => void
  onPoint?: ((point: Point) => void) | undefined
  systemClock: () => number
  /** For a process that makes one call and ends: no company will come to share the commit. */
  alone?: boolean | undefined
  /** The records that the log may hold beside threads; absent means all that the program knows. */
  records?: RecordList | undefined
}

/** A look at shared memory; it costs next to nothing. */
const LOOKOUT_MS = 1000

export async function openSqlite(options: SqliteStoreOptions): Promise<Store> {
  const { path, afterCommit, systemClock } = options
  // The first open makes and migrates the store; which of the two it then serves is decided by use.
  const { db, identity } = await openDatabase(options)
  let spare: Connection | undefined = new Connection(db, path)
  let writer: Connection | undefined
  let reader: Connection | undefined
  let keeping: Connection | undefined
  let closed = false

  // A second connection must be to the same file: the path may name another by now, or none.
  const mustBeSameFile = (): void => {
    if (fileIdentity(path) === identity) return
    throw refuse('store_unusable', `${path} was replaced or removed while in use; start again`)
  }
  const connect = (): Connection => {
    if (closed) throw new Error('the store is closed')
    if (spare === undefined) mustBeSameFile()
    const connection = spare ?? new Connection(openAgain(path, options.journal), path)
    // A store in memory can be reached through this connection only.
    if (path !== NOWHERE) spare = undefined
    return connection
  }
  const write = (): Connection => {
    writer ??= connect().forWriting()
    return writer
  }
  const read = (): Connection => {
    reader ??= path === NOWHERE ? connect() : connect().forReading()
    return reader
  }

  const asking = <T>(ask: () => T): T => {
    try {
      return ask()
    } catch (error) {
      throw sqliteRefusal(error, path)
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
    // The keeper has a connection of its own: a backup cannot run inside a transaction that the writer may
    // be in.
    keeping ??= connect()
    const { db } = keeping
    db.exec('pragma busy_timeout = 5000')
    const run = ({ query, params }: Write) => void keeping?.run(query, params)
    return makeKeeper(readQuerier, sqliteKeeper(path, { db, run }), options.records)
  }

  return {
    engine: 'sqlite',
    place: path,
    ...makeStoreReads(readQuerier, async () => readNow(), options.records),

    write: queue.write,
    writeWith: queue.writeWith,

    lookout() {
      let seen = -1
      return {
        everyMs: LOOKOUT_MS,
        async changed() {
          mustBeSameFile()
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
      closed = true
      for (const connection of new Set([spare, reader, writer, keeping])) connection?.db.close()
    },
  }
}
