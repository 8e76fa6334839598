// One write to PostgreSQL, from its connection to its commit.
//
// (1) Each unit of work has its own connection. Its reads are sent immediately; its writes, the append of its events
//     and COMMIT are sent together at the end, in one write to the socket. So the append's lock, which puts the log in
//     commit order, never waits for this client.
// (2) A pipelined COMMIT after a failed statement succeeds with the tag ROLLBACK, so the tag is checked.
// (3) A connection cut during COMMIT has usually committed. Every write carries an idempotency key, either the caller's
//     or a fresh one, and is retried under it, so the retry finds the first answer. The retry waits for the server
//     process of the first run, which must be over by then. Runs under a caller's key, which several processes may use
//     at once, queue on a lock.
// (4) The caller's token is checked before COMMIT but after the append, whose lock a revocation takes as well. So
//     either the revocation finds this write in the log, or this write finds the revocation. The check is sent with the
//     writes and costs no round trip. A token that revokes itself was checked under the agents' lock. A stored answer
//     is only returned for a valid token, or to the retry of a run that may have committed.

import type { Pool, PoolClient } from 'pg'
import { type Refusal, refuse } from '../../core/error.ts'
import { endedRefusal, type TokenStanding } from '../../core/identity/token.ts'
import { LOADING } from '../../core/keeping/keeper.ts'
import type { RecordList } from '../../core/record.ts'
import type { Idempotency, Point, Tx, WriteResult } from '../../core/store.ts'
import { type Instant, latest } from '../../core/time.ts'
import type { Params } from '../compile.ts'
import { deskWrites } from '../desk/desk-row-writes.ts'
import type { EventRow } from '../event-row.ts'
import { type KeyRow, keyParams, replay } from '../idempotency.ts'
import { type AnyQuery, first, type Querier } from '../querier.ts'
import { SCHEMA_VERSION } from '../schema-version.gen.ts'
import { isNews, unitOfWork, type WriteClock } from '../unit-of-work.ts'
import { loadingRefusal, outgrownRefusal } from '../write-refusals.ts'
import {
  askIn,
  boundInTime,
  type Failure,
  LOG_LOCK,
  noteFailure,
  takeConnection,
  WRITE_NOW,
} from './connection.ts'
import { isLostConnection } from './errors.ts'

/** Longer than any of our transactions. After that, only the key's uniqueness prevents a second write. */
const LOST_BUDGET_MS = 5000

type WriteTry = {
  idempotency: Idempotency
  tokenId: string | undefined
  mayHaveCommitted: boolean
  /** The server processes of attempts whose outcome is unknown. */
  lost: number[]
  onPoint: (point: Point) => void
  ring: (client: PoolClient) => void
  records: RecordList | undefined
}

export async function tryWrite(
  pool: Pool,
  work: (tx: Tx) => Promise<unknown>,
  current: WriteTry,
): Promise<WriteResult<unknown>> {
  const client = await takeConnection(pool)
  let broken: Error | boolean = true
  try {
    for (const pid of current.lost) await waitForEnd(client, pid)
    const written = await transact(client, work, current)
    broken = false
    return written
  } catch (error) {
    broken = isLostConnection(error) ? (error as Error) : false
    if (broken) current.lost.push(processOf(client))
    if (!broken) await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release(broken)
  }
}

/** The client library learns the server's process id when it connects, but its types don't declare it. */
function processOf(client: PoolClient): number {
  return (client as unknown as { processID: number }).processID
}

/** Even after the connection is cut, a server process runs all it was sent, including COMMIT, before it ends. */
async function waitForEnd(client: PoolClient, pid: number): Promise<void> {
  const giveUp = performance.now() + LOST_BUDGET_MS
  while (performance.now() < giveUp) {
    const { rows } = await client.query('select from pg_stat_activity where pid = $1', [pid])
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

async function transact(
  client: PoolClient,
  work: (tx: Tx) => Promise<unknown>,
  current: WriteTry,
): Promise<WriteResult<unknown>> {
  const failure: Failure = {}
  try {
    return await workIn(client, work, current, failure)
  } catch (error) {
    // Queries sent together are answered in order but may be awaited out of order, so report the first failure.
    throw failure.first ?? error
  }
}

async function workIn(
  client: PoolClient,
  work: (tx: Tx) => Promise<unknown>,
  { idempotency, tokenId, mayHaveCommitted, onPoint, ring, records }: WriteTry,
  failure: Failure,
): Promise<WriteResult<unknown>> {
  const querier: Querier = {
    all: <Row>(query: AnyQuery, params: Params) => askIn<Row>(client, query, params, failure),
  }
  // This query isn't awaited. If it fails, the failure is recorded, and the first read fails as well.
  void noteFailure(failure, client.query(idempotency.fresh ? 'begin' : beginUnder(idempotency)))
  onPoint('begun')
  if (!idempotency.fresh || mayHaveCommitted) {
    // A stored answer requires a valid token, except in a retry that may have committed; see (4).
    const asksFirst = tokenId !== undefined && !mayHaveCommitted
    const [row, ended] = await Promise.all([
      first(querier.all<KeyRow>('key_get', keyParams(idempotency))),
      asksFirst ? refusalOfEnd(querier, tokenId) : null,
    ])
    if (row !== null) {
      if (ended !== null) throw ended
      await client.query('rollback')
      return replay(row, idempotency)
    }
  }
  const { tx, writes, events, onDesks } = unitOfWork(querier, clockOf(client, failure), records)
  const value = await work(tx)
  onPoint('decided')
  const write = () => writes.map(({ query, params }) => querier.all(query, params))
  const isOwnEnd = events.some((event) => revokes(event, tokenId))
  const mustBeGood = () => (tokenId === undefined || isOwnEnd ? [] : [refuseEnded(client, tokenId)])
  if (!isNews({ writes, events })) {
    // It's harmless to record a sighting twice, and there's no answer to store under a key.
    const last = tx.lastEventId()
    await commit(client, [...write(), last, ...mustBeGood()])
    return { value, eventId: await last, replayed: false }
  }
  const key = {
    ...keyParams(idempotency),
    request_hash: idempotency.requestHash,
    response_json: JSON.stringify(value),
  }
  const written = write()
  // A separate statement: the lock may wait for an import, and the append only sees what existed when it began.
  const locked = noteFailure(failure, client.query(LOG_LOCK))
  const appending = client.query({
    name: 'append_events',
    text: APPEND,
    values: [JSON.stringify(events), JSON.stringify(key)],
  })
  const append = appending.catch((error) => {
    if (error.code === DIVIDED_BY_ZERO) throw outgrownRefusal('the store')
    throw error.code === NO_SQUARE_ROOT ? loadingRefusal('the store') : error
  })
  const placed = [...onDesks]
    .flatMap((thread) => deskWrites(thread))
    .map(({ query, params }) => querier.all(query, params))
  onPoint('written')
  const committed = commit(client, [...written, locked, append, ...placed, ...mustBeGood()])
  ring(client)
  await committed
  onPoint('committed')
  return { value, eventId: (await append).rows[0].event_id, replayed: false }
}

/** Reads both times in one query, which runs after all the locks requested before it. */
function clockOf(client: PoolClient, failure: Failure): WriteClock {
  type Row = { now: Instant; floor: Instant | null; last: Instant | null }
  let reached = ''
  return {
    async now() {
      const { rows } = await noteFailure(failure, client.query<Row>(WRITE_NOW))
      const [row] = rows
      if (row === undefined) throw new Error('the store has no clock')
      reached = latest(reached, latest(row.floor ?? '', row.last ?? ''))
      return row.now
    },
    reached: () => reached,
  }
}

/** Throws if the caller's token is no longer valid; see (4). */
async function refuseEnded(client: PoolClient, token_id: string): Promise<void> {
  try {
    await askIn(client, 'token_must_be_good', { token_id })
  } catch (error) {
    throw (error as { code?: string }).code === DIVIDED_BY_ZERO ? new TokenEnded() : error
  }
}

/** The transaction is invalid by now, so the code that catches this checks the token again. */
export class TokenEnded extends Error {}

export async function refusalOfEnd(querier: Querier, token_id: string): Promise<Refusal | null> {
  return endedRefusal(await first(querier.all<TokenStanding>('token_standing', { token_id })))
}

function revokes({ event_type, payload_json }: EventRow, tokenId: string | undefined): boolean {
  return event_type === 'token_revoke' && JSON.parse(payload_json).token_id === tokenId
}

/**
 * Fails if a newer program has changed the store since it was opened, or if an import hasn't finished. COMMIT has
 * already been sent, and only an error turns it into a rollback. The import is checked first because, until it
 * finishes, the next event id may be one that it has loaded.
 */
const APPEND = `
  select (select sqrt(-count(*)) from settings where name = '${LOADING}'),
    append_events($1, $2) / (
      select case count(*) when 0 then 1 else 0 end
      from migrations where number > ${SCHEMA_VERSION} and breaking = 1) as event_id`
const DIVIDED_BY_ZERO = '22012'
const NO_SQUARE_ROOT = '2201F'

/** Keys that share a hash only wait for each other, and no other lock is taken before this one. */
function beginUnder({ agent, key }: Idempotency): string {
  let hash = 0
  for (const char of `${agent} ${key}`)
    hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) | 0
  return `begin; select pg_advisory_xact_lock(7302, ${hash})`
}

async function commit(client: PoolClient, before: Promise<unknown>[]): Promise<void> {
  const end = client.query(boundInTime({ text: 'commit' }))
  const results = await Promise.allSettled([...before, end])
  for (const result of results) if (result.status === 'rejected') throw result.reason
  const { command } = await end
  if (command !== 'COMMIT') throw refuse.internal`the commit answered ${command}`
}
