// The SQLite store. One connection writes, another reads.
//
// (1) Writes queue. What waits goes into one BEGIN IMMEDIATE, each unit of work in its own savepoint,
//     one COMMIT; then all are answered and the bell rings once. On a disk with slow flushes this is
//     the difference between a stalled process and a busy one.
// (2) A unit of work may await the database and nothing else: a transaction that outlives a macrotask
//     would hold the write lock of every process, so it is failed.
// (3) Reads outside a unit of work never see its uncommitted rows: they have their own connection.
// (4) The moment of a transaction is read after BEGIN, and is never before the last event's.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { refuse } from '../core/error.ts'
import type { Idempotency, Point, Store, StoreAdmin, Tx, Written } from '../core/store.ts'
import { type Instant, latest, toInstant } from '../core/time.ts'
import { compiler, type Params } from './compile.ts'
import { type KeyRow, keyParams, replay } from './idempotency.ts'
import { QUERIES } from './queries-sqlite.gen.ts'
import type { QueryName } from './query-name.gen.ts'
import { makeStoreReads } from './reads.ts'
import { first, type Session } from './session.ts'
import { isBusy, sqliteRefusal } from './sqlite-errors.ts'
import { fileIdentity, openAgain, openDatabase, type SqliteOptions } from './sqlite-open.ts'
import { unitOfWork, type Write } from './unit-of-work.ts'

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

type Outcome = { job: Job; written: Written<unknown> } | { job: Job; error: unknown }

/** How long a write waits for other processes before it is `busy`. */
const BUSY_BUDGET_MS = 5000
/** Enough to share one flush among many, few enough that nobody waits long for the first. */
const GROUP_LIMIT = 128

const compile = compiler('sqlite', QUERIES)

export async function openSqlite(options: SqliteStoreOptions): Promise<Store> {
  const { path, afterCommit, systemClock } = options
  const onPoint = options.onPoint ?? (() => {})
  // The first open makes and migrates the store; which of the two it then serves is decided by use.
  const { db, identity } = await openDatabase(options)
  let spare: Connection | undefined = new Connection(db, path)
  let writer: Connection | undefined
  let reader: Connection | undefined
  let keeper: Connection | undefined
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
    spare = undefined
    return connection
  }
  const write = (): Connection => {
    writer ??= connect().forWriting()
    return writer
  }
  const read = (): Connection => {
    reader ??= connect().forReading()
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
  // A turn of the event loop lets everything that has arrived share one commit.
  const gather = () =>
    options.alone ? Promise.resolve() : new Promise<void>((done) => setImmediate(done))
  let draining: Promise<void> | undefined

  const drain = async (): Promise<void> => {
    await gather()
    while (queue.length > 0) {
      const group = queue.splice(0, GROUP_LIMIT)
      const failed = (error: unknown): Outcome[] =>
        group.map((job) => ({ job, error: sqliteRefusal(error, path) }))
      for (const outcome of await runGroup(write, group, { systemClock, onPoint }).catch(failed)) {
        if ('error' in outcome) outcome.job.reject(outcome.error)
        else outcome.job.resolve(outcome.written)
      }
      afterCommit()
    }
    // In the same turn as the last look at the queue: whoever comes next starts a new drain.
    draining = undefined
  }

  const admin = async (): Promise<StoreAdmin> => {
    const [{ makeAdmin }, { sqliteKeeper }] = await Promise.all([
      import('./admin.ts'),
      import('./sqlite-admin.ts'),
    ])
    // Its own connection: a backup cannot run inside a transaction that the writer may be in.
    keeper ??= connect()
    const { db } = keeper
    db.exec('pragma busy_timeout = 5000')
    const run = ({ query, params }: Write) => void keeper?.run(query, params)
    return makeAdmin(readSession, sqliteKeeper(path, { db, run }))
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
      return async () => {
        mustBeSameFile()
        const row = asking(() => read().db.prepare('pragma data_version').get())
        const { data_version: version } = row as { data_version: number }
        const changed = version !== seen
        seen = version
        return changed
      }
    },

    admin,

    async close() {
      await draining
      closed = true
      for (const connection of [spare, reader, writer, keeper]) connection?.db.close()
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
      const now = moment(connection, systemClock)
      for (const job of jobs) {
        if (jobs.length > 1) db.exec('savepoint job')
        try {
          outcomes.push({ job, written: await runJob(connection, job, now, onPoint) })
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
): Promise<Written<unknown>> {
  const session: Session = {
    async all<Row>(query: QueryName, params: Params) {
      return connection.all<Row>(query, params, () => now)
    },
  }
  const { idempotency } = job
  if (idempotency !== undefined && !idempotency.fresh) {
    const row = await first(session.all<KeyRow>('key_get', keyParams(idempotency)))
    if (row !== null) return replay(row, idempotency)
  }
  const { tx, writes, events } = unitOfWork(session, async () => now)
  const value = await job.work(tx)
  onPoint('decided')
  for (const { query, params } of writes) connection.run(query, params)
  let eventId = 0
  for (const event of events) eventId = connection.run('event_insert', event)
  if (eventId === 0) eventId = await tx.lastEventId()
  const didSomething = writes.length + events.length > 0
  if (didSomething && idempotency !== undefined && !idempotency.fresh) {
    connection.run('key_insert', {
      ...keyParams(idempotency),
      request_hash: idempotency.requestHash,
      response_json: JSON.stringify(value),
      event_id: eventId,
      created_at: now,
    })
  }
  onPoint('written')
  return { value, eventId, replayed: false }
}

// SQLite's own busy handler starves: of eight busy writers one got 8,524 commits and one got 1.
// Full jitter with a doubling ceiling shares fairly.
async function begin({ db, path }: Connection): Promise<void> {
  const giveUp = performance.now() + BUSY_BUDGET_MS
  for (let ceilingMs = 0.25; ; ceilingMs = Math.min(8, ceilingMs * 2)) {
    try {
      db.exec('begin immediate')
      return
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() > giveUp) throw lockedTooLong(path)
    }
    await pause(Math.random() * ceilingMs)
  }
}

// Where there is no write-ahead log, readers are in the way of a commit, and a commit that waits for
// them keeps new ones out, our own among them: nothing else of this process may run meanwhile.
function commit({ db, path }: Connection): void {
  const giveUp = performance.now() + BUSY_BUDGET_MS
  for (;;) {
    try {
      db.exec('commit')
      return
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() > giveUp) throw lockedTooLong(path)
    }
    Atomics.wait(nap, 0, 0, 1)
  }
}

function lockedTooLong(path: string) {
  const seconds = BUSY_BUDGET_MS / 1000
  return refuse('busy', `${path} was locked by other processes for ${seconds} s; try again`)
}

const nap = new Int32Array(new SharedArrayBuffer(4))

async function pause(ms: number): Promise<void> {
  // A timer cannot sleep less than a millisecond; a thread can.
  if (ms < 1) Atomics.wait(nap, 0, 0, ms)
  else await new Promise((resolve) => setTimeout(resolve, ms))
}

function moment(connection: Connection, systemClock: () => number): Instant {
  const { fixed, floor, last } = connection.clock()
  return latest(fixed ?? toInstant(systemClock()), latest(floor ?? '', last ?? ''))
}

class Connection {
  readonly db: DatabaseSync
  readonly path: string
  readonly #statements = new Map<string, StatementSync>()
  #clock: StatementSync | undefined

  constructor(db: DatabaseSync, path: string) {
    this.db = db
    this.path = path
  }

  forWriting(): this {
    this.db.exec('pragma busy_timeout = 0')
    return this
  }

  forReading(): this {
    this.db.exec('pragma query_only = on; pragma busy_timeout = 5000')
    return this
  }

  all<Row>(query: QueryName, params: Params, now: () => Instant): Row[] {
    const { key, sql, values } = compile(query, params, now)
    return this.#prepare(key, sql).all(...values.map(bound)) as Row[]
  }

  run(query: QueryName, params: Params): number {
    const { key, sql, values } = compile(query, params)
    return Number(this.#prepare(key, sql).run(...values.map(bound)).lastInsertRowid)
  }

  clock(): { fixed: Instant | null; floor: Instant | null; last: Instant | null } {
    this.#clock ??= this.db.prepare(`
      select (select value from settings where name = 'clock') as fixed,
             (select value from settings where name = 'clock_floor') as floor,
             (select created_at from events order by event_id desc limit 1) as last`)
    return this.#clock.get() as {
      fixed: Instant | null
      floor: Instant | null
      last: Instant | null
    }
  }

  #prepare(key: string, sql: string): StatementSync {
    let statement = this.#statements.get(key)
    if (statement === undefined) {
      statement = this.db.prepare(sql)
      this.#statements.set(key, statement)
    }
    return statement
  }
}

// A JavaScript number is bound as REAL and would come back as 1.0 from a text column.
function bound(value: string | number | null): string | bigint | null {
  return typeof value === 'number' ? BigInt(value) : value
}
