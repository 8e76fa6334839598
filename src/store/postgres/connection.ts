// Connections to PostgreSQL: taking one from the pool, running a named query, and reads that share one.

import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import { refuse } from '../../core/error.ts'
import { compiler, type Params } from '../compile.ts'
import type { AnyQuery } from '../querier.ts'
import { QUERIES } from './queries.gen.ts'

export const compile = compiler('postgres', QUERIES)

/** A server that is silent for this long during a call is considered gone. */
const SILENCE_MS = 20_000

/** Limits a query's time. Migrations have no limit: they may have a lot to do. */
export function boundInTime<Q extends object>(query: Q): Q {
  return { ...query, query_timeout: SILENCE_MS }
}

/** The time, and for a writer also the latest time in the log. */
export const WRITE_NOW = boundInTime({
  name: 'store_now_and_reached',
  text: `select store_now() as now,
                (select value from settings where name = 'clock_floor') as floor,
                (select created_at from events order by event_id desc limit 1) as last`,
})
export const NOW = boundInTime({ name: 'store_now', text: 'select store_now() as now' })

export async function takeConnection(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    // The pool's timeout error has no code. All connections are in use, and the caller has already waited.
    if (!/timeout exceeded/.test((error as Error).message)) throw error
    throw refuse.busy`all ${pool.options.max} connections are in use; try again`
  }
}

/** The first error of a failed transaction says why it failed; later errors only say that it did. */
export type Failure = { first?: unknown }

// Noted at the query itself: further up, the error of a later query may arrive first.
export function noteFailure<T>(failure: Failure, answer: Promise<T>): Promise<T> {
  answer.catch((error) => {
    failure.first ??= error
  })
  return answer
}

/** The lock that puts the log in commit order. A query made while holding it sees every earlier event. */
export const LOG_LOCK = {
  name: 'log_lock',
  text: 'select pg_advisory_xact_lock(7301, hashtext(current_schema()))',
}

export async function askIn<Row>(
  client: PoolClient,
  query: AnyQuery,
  params: Params,
  failure: Failure = {},
): Promise<Row[]> {
  const { key, sql, values } = compile(query, params)
  const asked = client.query(boundInTime({ name: key, text: sql, values }))
  const { rows } = await noteFailure(failure, asked)
  return rows as Row[]
}

// Reads made in one turn of the event loop share one connection and one round trip. Otherwise, a call with five reads
// would open five connections, each costing a server process and a login: more than all five reads.
type Trip = { client: Promise<PoolClient>; travellers: number }

export type Ask = (query: QueryConfig) => Promise<QueryResult>

export function roundTrips(
  take: () => Promise<PoolClient>,
  isLost: (error: unknown) => boolean,
): Ask {
  let boarding: Trip | undefined

  const board = (): Trip => {
    if (boarding === undefined) {
      const trip = { client: take(), travellers: 0 }
      boarding = trip
      queueMicrotask(() => {
        if (boarding === trip) boarding = undefined
      })
    }
    boarding.travellers += 1
    return boarding
  }

  return async (query) => {
    const trip = board()
    const client = await trip.client
    let lost: Error | undefined
    try {
      return await client.query(query)
    } catch (error) {
      if (isLost(error)) lost = error as Error
      throw error
    } finally {
      trip.travellers -= 1
      if (trip.travellers === 0) client.release(lost)
    }
  }
}
