// The SQLite store. One connection writes, another reads.
//
// (1) Writes queue. What waits goes into one BEGIN IMMEDIATE, each unit of work in its own savepoint,
//     one COMMIT; then all are answered and the bell rings once. On a disk with slow flushes this is
//     the difference between a stalled process and a busy one.
// (2) A unit of work may await the database and nothing else: a transaction that outlives a macrotask
//     would hold the write lock of every process, so it is failed.
// (3) Reads outside a unit of work never see its uncommitted rows: they have their own connection.
// (4) The moment of a transaction is read after BEGIN, and is never before the last event's.

import { refuse } from '../../core/error.ts'
import { ERASING, type Keeper } from '../../core/keeping/keeper.ts'
import type { Idempotency, Point, Store, Tx, Written } from '../../core/store.ts'
import type { Instant } from '../../core/time.ts'
import type { Params } from '../compile.ts'
import { type KeyRow, keyParams, replay } from '../idempotency.ts'
import type { QueryName } from '../query-name.gen.ts'
import { makeStoreReads } from '../reads.ts'
import { first, type Session, type Write } from '../session.ts'
import { isNews, unitOfWork } from '../unit-of-work.ts'
import { begin, Connection, commit, moment, momentToWrite } from './connection.ts'
import { sqliteRefusal } from './errors.ts'
import { fileIdentity, NOWHERE, openAgain, openDatabase, type SqliteOptions } from './open.ts'

export type SqliteStoreOptions = SqliteOptions & {
  afterCommit: () => void
  onPoint?: ((point: Point) => void) | undefined
  systemClock: () => number
  /** For a process that makes one call and ends: no company will come to share the commit. */
  alone?: boolean | undefined
}

type Job = {
  work: (tx: Tx) => Promise<unknown>
  idempotency: Idempotency | undefined
  resolve: (written: Written<unknown>) => void
  reject: (error: unknown) => void
}

type Done = { written: Written<unknown>; recorded: boolean }
type Outcome = { job: Job; done: Done } | { job: Job; error: unknown }

/** A look at shared memory; it costs next to nothing. */
const LOOKOUT_MS = 1000
/** Enough to share one flush among many, few enough that nobody waits long for the first. */
const GROUP_LIMIT = 128

export async function openSqlite(options: SqliteStoreOptions): Promise<Store> {
  const { path, afterCommit, systemClock } = options
  const onPoint = options.onPoint ?? (() => {})
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
    // What is in no file is reached by this one alone.
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
  const readSession: Session = {
    async all<Row>(query: QueryName, params: Params) {
      return asking(() => read().all<Row>(query, params, readNow))
    },
  }

  const queue: Job[] = []
  // A turn of the event loop lets everything that has arrived share one commit, and between two groups
  // lets timers and sockets have theirs: under steady load the queue may never be empty.
  const gather = () =>
    options.alone ? Promise.resolve() : new Promise<void>((done) => setImmediate(done))
  let draining: Promise<void> | undefined

  const drain = async (): Promise<void> => {
    do {
      await gather()
      const group = queue.splice(0, GROUP_LIMIT)
      const failed = (error: unknown): Outcome[] =>
        group.map((job) => ({ job, error: sqliteRefusal(error, path) }))
      const outcomes = await runGroup(write, group, { systemClock, onPoint }).catch(failed)
      for (const outcome of outcomes) {
        if ('done' in outcome) outcome.job.resolve(outcome.done.written)
        else outcome.job.reject(outcome.error)
      }
      // What was refused, or found nothing to do, is no reason for anyone to look.
      if (outcomes.some((outcome) => 'done' in outcome && outcome.done.recorded)) afterCommit()
    } while (queue.length > 0)
    // In the same turn as the last look at the queue: whoever comes next starts a new drain.
    draining = undefined
  }

  const keeper = async (): Promise<Keeper> => {
    const [{ makeKeeper }, { sqliteKeeper }] = await Promise.all([
      import('../keeping/keeper.ts'),
      import('./keeper.ts'),
    ])
    // Its own connection: a backup cannot run inside a transaction that the writer may be in.
    keeping ??= connect()
    const { db } = keeping
    db.exec('pragma busy_timeout = 5000')
    const run = ({ query, params }: Write) => void keeping?.run(query, params)
    return makeKeeper(readSession, sqliteKeeper(path, { db, run }))
  }

  return {
    engine: 'sqlite',
    place: path,
    ...makeStoreReads(readSession, async () => readNow()),

    write<T>(work: (tx: Tx) => Promise<T>, idempotency?: Idempotency): Promise<Written<T>> {
      return new Promise<Written<T>>((resolve, reject) => {
        queue.push({ work, idempotency, resolve: resolve as Job['resolve'], reject })
        draining ??= drain()
      })
    },

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
      await draining
      closed = true
      for (const connection of new Set([spare, reader, writer, keeping])) connection?.db.close()
    },
  }
}

type Surroundings = { systemClock: () => number; onPoint: (point: Point) => void }

async function runGroup(
  connect: () => Connection,
  jobs: Job[],
  { systemClock, onPoint }: Surroundings,
): Promise<Outcome[]> {
  const connection = connect()
  const { db } = connection
  const outcomes: Outcome[] = []
  let overran = false
  try {
    await begin(connection)
    onPoint('begun')
    const alarm = setImmediate(() => {
      overran = true
    })
    try {
      const now = momentToWrite(connection, systemClock)
      for (const job of jobs) {
        if (jobs.length > 1) db.exec('savepoint job')
        try {
          outcomes.push({ job, done: await runJob(connection, job, now, onPoint) })
          if (overran) throw new Error('a unit of work awaited something other than the store')
          if (jobs.length > 1) db.exec('release job')
        } catch (error) {
          // Alone, the whole transaction goes; in company, only this one's savepoint.
          if (jobs.length === 1 || overran) throw error
          db.exec('rollback to job; release job')
          outcomes.push({ job, error: sqliteRefusal(error, connection.path) })
        }
      }
      commit(connection)
      onPoint('committed')
    } finally {
      clearImmediate(alarm)
    }
    return outcomes
  } catch (error) {
    if (db.isTransaction) db.exec('rollback')
    const refusal = sqliteRefusal(error, connection.path)
    return jobs.map((job) => ({ job, error: refusal }))
  }
}

async function runJob(
  connection: Connection,
  job: Job,
  now: Instant,
  onPoint: (point: Point) => void,
): Promise<Done> {
  const session: Session = {
    async all<Row>(query: QueryName, params: Params) {
      return connection.all<Row>(query, params, () => now)
    },
  }
  const { idempotency } = job
  if (idempotency !== undefined && !idempotency.fresh) {
    const row = await first(session.all<KeyRow>('key_get', keyParams(idempotency)))
    // Whoever recorded it may have been killed before it rang.
    if (row !== null) return { written: replay(row, idempotency), recorded: true }
  }
  const { tx, writes, events } = unitOfWork(session, async () => now)
  const value = await job.work(tx)
  onPoint('decided')
  for (const { query, params } of writes) connection.run(query, params)
  let eventId = 0
  for (const { deliveries, ...event } of events) {
    eventId = connection.run('event_insert', event)
    for (const delivery of deliveries) {
      connection.run('delivery_insert', { ...delivery, event_id: eventId })
    }
  }
  // What was deleted for ever: the keeper has yet to rewrite the file.
  if (writes.some(({ query }) => query === 'push_gone')) {
    connection.run('setting_put', { name: ERASING, value: String(eventId) })
  }
  if (eventId === 0) eventId = await tx.lastEventId()
  const recorded = isNews({ writes, events })
  if (recorded && idempotency !== undefined && !idempotency.fresh) {
    connection.run('key_insert', {
      ...keyParams(idempotency),
      request_hash: idempotency.requestHash,
      response_json: JSON.stringify(value),
      event_id: eventId,
      created_at: now,
    })
  }
  onPoint('written')
  return { written: { value, eventId, replayed: false }, recorded }
}
