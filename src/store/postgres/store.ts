// The PostgreSQL store: its pool, its reads, and the retries of writes. A single write is in write.ts.

import { Pool, type PoolClient } from 'pg'
import type { Bell } from '../../core/bell.ts'
import type { Keeper } from '../../core/keeping/keeper.ts'
import type { RecordList } from '../../core/record.ts'
import type { Idempotency, Point, Store, Tx, WriteResult } from '../../core/store.ts'
import type { Instant } from '../../core/time.ts'
import type { Params } from '../compile.ts'
import type { AnyQuery, Querier, Write } from '../querier.ts'
import { makeStoreReads } from '../reads.ts'
import { mustTakeNews } from '../write-refusals.ts'
import { postgresBell } from './bell.ts'
import { askIn, boundInTime, compile, NOW, roundTrips, takeConnection } from './connection.ts'
import { isKeyConflict, isLostConnection, isRetryable, postgresRefusal } from './errors.ts'
import { migratePostgres } from './migrate.ts'
import { type PostgresAddress, parseAddress } from './open.ts'
import { refusalOfEnd, TokenEnded, tryWrite } from './write.ts'

export type PostgresStoreOptions = {
  url: string
  onCreate?: ((place: string) => void) | undefined
  /** The maximum number of connections. Beyond that, callers wait, and are refused as `busy` if it takes too long. */
  connections?: number | undefined
  /** For a process that makes one call and ends: a few connections are enough. */
  alone?: boolean | undefined
  mustExist?: boolean | undefined
  makeKey: () => string
  onPoint?: ((point: Point) => void) | undefined
  /** The records the log may contain. Defaults to all that the program knows. */
  records?: RecordList | undefined
}

/** One try is not enough when a server restarts; many more would hide that it is down. */
const TRIES = 4
/** Each check queries the server, and many processes may be checking, so the interval is longer than for a file. */
const LOOKOUT_MS = 5000

export async function openPostgres(
  options: PostgresStoreOptions,
): Promise<{ store: Store; bell: Bell }> {
  const address = parseAddress(options.url)
  const { place } = address
  const onPoint = options.onPoint ?? (() => {})
  const pool = new Pool({
    ...address.config,
    max: options.connections ?? (options.alone ? 3 : 10),
    idleTimeoutMillis: 30_000,
  })
  // An idle connection that dies is replaced at the next use. One that dies in use fails its query and also emits an
  // event, which would crash the process if no one listened for it.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  if (await prepareSchema(pool, address, options)) options.onCreate?.(place)
  const bell = postgresBell(pool, address)

  const ask = roundTrips(() => takeConnection(pool), isLostConnection)
  const readQuerier: Querier = {
    async all<Row>(query: AnyQuery, params: Params) {
      const { key, sql, values } = compile(query, params)
      try {
        const { rows } = await retryLost(() => ask(boundInTime({ name: key, text: sql, values })))
        return rows as Row[]
      } catch (error) {
        throw postgresRefusal(error, place)
      }
    },
  }
  const readNow = async () => {
    try {
      return (await retryLost(() => ask(NOW))).rows[0].now as Instant
    } catch (error) {
      throw postgresRefusal(error, place)
    }
  }

  const writer = (tokenId: string | undefined) => {
    return async <T>(
      work: (tx: Tx) => Promise<T>,
      given?: Idempotency,
    ): Promise<WriteResult<T>> => {
      const fresh = { agent: '', key: options.makeKey(), requestHash: '', fresh: true }
      const idempotency = given ?? fresh
      const lost: number[] = []
      for (let tries = 1; ; tries++) {
        try {
          const written = await tryWrite(pool, work, {
            idempotency,
            tokenId,
            mayHaveCommitted: tries > 1,
            lost,
            onPoint,
            ring: bell.ringOn,
            records: options.records,
          })
          // The try that was cut off may not have rung the bell.
          if (written.replayed) bell.ring()
          return written as WriteResult<T>
        } catch (error) {
          if (error instanceof TokenEnded) {
            throw (await refusalOfEnd(readQuerier, tokenId as string)) ?? error
          }
          const again = isLostConnection(error) || isRetryable(error) || isKeyConflict(error)
          if (!again || tries === TRIES) throw postgresRefusal(error, place)
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 50 * 2 ** tries))
        }
      }
    }
  }

  const store: Store = {
    engine: 'postgres',
    place,
    // Never resolves: a server that's down may come back, and its store with it.
    gone: new Promise(() => {}),
    ...makeStoreReads(readQuerier, readNow, options.records),

    write: writer(undefined),
    writeWith: writer,

    async mustTakeWrites() {
      await mustTakeNews(store, readQuerier)
    },

    lookout() {
      let seen = ''
      return {
        everyMs: LOOKOUT_MS,
        async changed() {
          const sign = JSON.stringify(await readQuerier.all('change_sign', {}))
          const changed = sign !== seen
          seen = sign
          return changed
        },
      }
    },

    async keeper(): Promise<Keeper> {
      const [{ makeKeeper }, { postgresKeeper }] = await Promise.all([
        import('../keeping/keeper.ts'),
        import('./keeper.ts'),
      ])
      const run = (client: PoolClient, { query, params }: Write) => askIn(client, query, params)
      return makeKeeper(readQuerier, postgresKeeper(pool, address, run), options.records)
    },

    async close() {
      await bell.close()
      await pool.end()
    },
  }
  return { store, bell }
}

async function prepareSchema(
  pool: Pool,
  address: PostgresAddress,
  { mustExist = false }: Pick<PostgresStoreOptions, 'mustExist'>,
): Promise<boolean> {
  let client: PoolClient | undefined
  try {
    client = await pool.connect()
    const made = await migratePostgres(client, address, { mustExist })
    client.release()
    return made
  } catch (error) {
    client?.release(true)
    await pool.end()
    throw postgresRefusal(error, address.place)
  }
}

/** A pooled connection may have died unnoticed, so a failed read is retried once. */
async function retryLost<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!isLostConnection(error)) throw error
    return ask()
  }
}
