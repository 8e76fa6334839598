// A connection to a SQLite file: runs named queries, reads the clock, begins and commits.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { LOADING } from '../../core/keeping/keeper.ts'
import { type Instant, latest, toInstant } from '../../core/time.ts'
import { compiler, type Params } from '../compile.ts'
import type { AnyQuery } from '../querier.ts'
import { SCHEMA_VERSION } from '../schema-version.gen.ts'
import { outgrownRefusal } from '../write-refusals.ts'
import { retryHolding, retryPatiently } from './file/patience.ts'
import type { SameFiles } from './file/same-files.ts'
import { QUERIES } from './queries.gen.ts'

const compile = compiler('sqlite', QUERIES)

/** "Mail" in ASCII, in the header of the file: distinguishes a Mailroom store from any other SQLite file. */
export const APPLICATION_ID = 0x4d61696c

export async function begin({ db, path, files }: Connection): Promise<void> {
  await retryPatiently(path, () => db.exec('begin immediate'))
  files.mustBeShown()
}

// Without a write-ahead log, readers block a commit, and a commit waiting for them blocks new readers, including those
// of this process. So nothing else in this process may run while it waits.
export function commit({ db, path, files }: Connection): void {
  retryHolding(path, () => db.exec('commit'))
  files.mustBeWritten()
}

export function moment(connection: Connection, systemClock: () => number): Instant {
  return momentOf(connection.clock(), systemClock)
}

/**
 * Reads the time for a writer, along with the latest time in the log. Refuses a store that a newer program has changed
 * since it was opened.
 */
export function momentToWrite(connection: Connection, systemClock: () => number): WriteMoment {
  const clock = connection.clock()
  if (clock.newer !== null) throw outgrownRefusal(connection.path, clock.newer)
  return {
    now: momentOf(clock, systemClock),
    reached: latest(clock.floor ?? '', clock.last ?? ''),
    isLoading: clock.loading !== null,
  }
}

function momentOf({ fixed }: Clock, systemClock: () => number): Instant {
  return fixed ?? toInstant(systemClock())
}

/** `isLoading` means that an import into the store hasn't finished. */
export type WriteMoment = { now: Instant; reached: Instant; isLoading: boolean }

/** `newer` is a breaking migration that this program doesn't know. If there is one, the program must not write. */
type Clock = {
  fixed: Instant | null
  floor: Instant | null
  last: Instant | null
  newer: string | null
  loading: string | null
}

type WrittenFiles = Pick<SameFiles, 'mustBeShown' | 'mustBeWritten'>

export class Connection {
  readonly db: DatabaseSync
  readonly path: string
  readonly files: WrittenFiles
  readonly #statements = new Map<string, StatementSync>()
  #clock: StatementSync | undefined

  constructor(db: DatabaseSync, path: string, files: WrittenFiles) {
    this.db = db
    this.path = path
    this.files = files
  }

  forWriting(): this {
    this.db.exec('pragma busy_timeout = 0')
    return this
  }

  forReading(): this {
    this.db.exec('pragma query_only = on; pragma busy_timeout = 5000')
    return this
  }

  all<Row>(query: AnyQuery, params: Params, now: () => Instant): Row[] {
    const { statement, values } = this.#prepare(query, params, now)
    return statement.all(...values) as Row[]
  }

  run(query: AnyQuery, params: Params, now?: () => Instant): number {
    const { statement, values } = this.#prepare(query, params, now)
    return Number(statement.run(...values).lastInsertRowid)
  }

  clock(): Clock {
    this.#clock ??= this.db.prepare(`
      select (select value from settings where name = 'clock') as fixed,
             (select value from settings where name = 'clock_floor') as floor,
             (select created_at from events order by event_id desc limit 1) as last,
             (select name from migrations where number > ${SCHEMA_VERSION} and breaking = 1) as newer,
             (select value from settings where name = '${LOADING}') as loading`)
    return this.#clock.get() as Clock
  }

  #prepare(query: AnyQuery, params: Params, now?: () => Instant) {
    const { key, sql, values } = compile(query, params, now)
    let statement = this.#statements.get(key)
    if (statement === undefined) {
      statement = this.db.prepare(sql)
      this.#statements.set(key, statement)
    }
    return { statement, values: values.map(bound) }
  }
}

// A JavaScript number is bound as REAL, so a text column would return 1 as 1.0.
function bound(value: string | number | null): string | bigint | null {
  return typeof value === 'number' ? BigInt(value) : value
}
