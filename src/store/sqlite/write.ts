// Writes to a SQLite file, in groups.
//
// (1) Writes are queued. All waiting writes go into one transaction (BEGIN IMMEDIATE to COMMIT), with a savepoint for
//     each unit of work; then all are answered and the bell rings once. On a disk with slow flushes, this keeps a busy
//     process from stalling.
// (2) A unit of work may only await the database. A transaction that outlives a macrotask fails, because it would keep
//     every other process from writing.
// (3) The time of a transaction is read after BEGIN. It can be earlier than the last event's time if the clock was
//     ahead then, but nothing is recorded with a time earlier than that event's.
// (4) After BEGIN and after COMMIT, the open files must be the ones in the folder (same-files.ts), so nothing is
//     acknowledged that isn't in a file anyone can find.

import { endedRefusal, type TokenStanding } from '../../core/identity/token.ts'
import { ERASING } from '../../core/keeping/keeper.ts'
import type { RecordList } from '../../core/record.ts'
import type { Idempotency, Point, Store, Tx, WriteResult } from '../../core/store.ts'
import type { Params } from '../compile.ts'
import { deskWrites } from '../desk/desk-row-writes.ts'
import { type KeyRow, keyParams, replay } from '../idempotency.ts'
import { type AnyQuery, first, type Querier } from '../querier.ts'
import { isNews, unitOfWork } from '../unit-of-work.ts'
import { loadingRefusal } from '../write-refusals.ts'
import { begin, type Connection, commit, momentToWrite, type WriteMoment } from './connection.ts'
import { makeShrinker } from './file/shrink.ts'

type Job = {
  work: (tx: Tx) => Promise<unknown>
  idempotency: Idempotency | undefined
  tokenId: string | undefined
  resolve: (written: WriteResult<unknown>) => void
  reject: (error: unknown) => void
}

type JobResult = { written: WriteResult<unknown>; recorded: boolean }
type JobOutcome = { job: Job; done: JobResult } | { job: Job; error: unknown }

/** Enough writes to share one flush, and few enough that the first one doesn't wait long. */
const GROUP_LIMIT = 128

export type QueueOptions = {
  path: string
  refusalOf: (error: unknown) => unknown
  connect: () => Connection
  afterCommit: () => void
  systemClock: () => number
  onPoint: (point: Point) => void
  /** Set for a process that makes one call and exits: no other call will share its commit. */
  alone: boolean
  records: RecordList | undefined
}

export type WriteQueue = Pick<Store, 'write' | 'writeWith'> & {
  /** Resolves when every queued write has been answered. */
  emptied(): Promise<void>
}

export function makeWriteQueue(options: QueueOptions): WriteQueue {
  const { path, refusalOf, afterCommit } = options
  const queue: Job[] = []
  // Waiting for a turn of the event loop lets all the writes that have arrived share one commit. Between two groups, it
  // also lets timers and sockets run: under steady load, the queue may never be empty.
  const gather = () =>
    options.alone ? Promise.resolve() : new Promise<void>((done) => setImmediate(done))
  const shrinker = makeShrinker(path)
  let draining: Promise<void> | undefined

  const drain = async (): Promise<void> => {
    do {
      await gather()
      const group = queue.splice(0, GROUP_LIMIT)
      const failed = (error: unknown): JobOutcome[] =>
        group.map((job) => ({ job, error: refusalOf(error) }))
      const outcomes = await runGroup(options, group).catch(failed)
      for (const outcome of outcomes) {
        if ('done' in outcome) outcome.job.resolve(outcome.done.written)
        else outcome.job.reject(outcome.error)
      }
      // If every call was refused or changed nothing, waiters have no reason to look.
      if (outcomes.some((outcome) => 'done' in outcome && outcome.done.recorded)) afterCommit()
      if (shrinker.isDue()) {
        // Let callers receive their answers first.
        await gather()
        shrinker.run(options.connect)
      }
    } while (queue.length > 0)
    // This runs in the same turn as the last check of the queue, so a later write starts a new drain.
    draining = undefined
  }

  const writer = (tokenId: string | undefined) => {
    return <T>(work: (tx: Tx) => Promise<T>, idempotency?: Idempotency) =>
      new Promise<WriteResult<T>>((resolve, reject) => {
        queue.push({ work, idempotency, tokenId, resolve: resolve as Job['resolve'], reject })
        draining ??= drain()
      })
  }
  return {
    write: writer(undefined),
    writeWith: writer,
    async emptied() {
      await draining
    },
  }
}

async function runGroup(
  { connect, systemClock, onPoint, records, refusalOf }: QueueOptions,
  jobs: Job[],
): Promise<JobOutcome[]> {
  const connection = connect()
  const { db } = connection
  const outcomes: JobOutcome[] = []
  let overran = false
  try {
    await begin(connection)
    onPoint('begun')
    const alarm = setImmediate(() => {
      overran = true
    })
    try {
      const moment = momentToWrite(connection, systemClock)
      for (const job of jobs) {
        if (jobs.length > 1) db.exec('savepoint job')
        try {
          outcomes.push({ job, done: await runJob(connection, job, { moment, onPoint, records }) })
          if (overran) throw new Error('a unit of work awaited something other than the store')
          if (jobs.length > 1) db.exec('release job')
        } catch (error) {
          // A single write rolls back the whole transaction; a write in a group rolls back only its savepoint.
          if (jobs.length === 1 || overran) throw error
          db.exec('rollback to job; release job')
          outcomes.push({ job, error: refusalOf(error) })
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
    const refusal = refusalOf(error)
    return jobs.map((job) => ({ job, error: refusal }))
  }
}

type JobMeans = Pick<QueueOptions, 'onPoint' | 'records'> & { moment: WriteMoment }

/**
 * No one else can write before the commit, so the result stays true until then. Even a stored answer is only returned
 * after the commit.
 */
async function mustBeGood(querier: Querier, token_id: string): Promise<void> {
  const ended = endedRefusal(
    await first(querier.all<TokenStanding>('token_standing', { token_id })),
  )
  if (ended !== null) throw ended
}

async function runJob(
  connection: Connection,
  job: Job,
  { moment, onPoint, records }: JobMeans,
): Promise<JobResult> {
  const { now, reached } = moment
  const querier: Querier = {
    async all<Row>(query: AnyQuery, params: Params) {
      return connection.all<Row>(query, params, () => now)
    },
  }
  const { idempotency, tokenId } = job
  if (tokenId !== undefined) await mustBeGood(querier, tokenId)
  if (idempotency !== undefined && !idempotency.fresh) {
    const row = await first(querier.all<KeyRow>('key_get', keyParams(idempotency)))
    // The process that recorded the answer may have been killed before it rang the bell.
    if (row !== null) return { written: replay(row, idempotency), recorded: true }
  }
  const { tx, writes, events, onDesks } = unitOfWork(
    querier,
    { now: async () => now, reached: () => reached },
    records,
  )
  const value = await job.work(tx)
  if (moment.isLoading && isNews({ writes, events })) throw loadingRefusal(connection.path)
  onPoint('decided')
  const erases = writes.some(({ query }) => query === 'erase_thread')
  // Overwrites deleted content in place. With this setting, 2 of 300 deleted strings were left in a large file; without
  // it, all 300. If it were on for every write, a cycle of work would take 3 to 5% longer.
  if (erases) connection.db.exec('pragma secure_delete = on')
  try {
    for (const { query, params } of writes) connection.run(query, params)
  } finally {
    if (erases) connection.db.exec('pragma secure_delete = off')
  }
  let eventId = 0
  for (const { deliveries, ...event } of events) {
    eventId = connection.run('event_insert', event)
    for (const delivery of deliveries) {
      connection.run('delivery_insert', { ...delivery, event_id: eventId })
    }
  }
  for (const thread of onDesks) {
    for (const { query, params } of deskWrites(thread)) connection.run(query, params, () => now)
  }
  // The keeper still has to rewrite the file.
  if (erases) {
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
