// One connection to a SQLite file: named queries, the clock, and how it begins and commits.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { refuse } from '../core/error.ts'
import { type Instant, latest, toInstant } from '../core/time.ts'
import { compiler, type Params } from './compile.ts'
import { QUERIES } from './queries-sqlite.gen.ts'
import type { QueryName } from './query-name.gen.ts'
import { isBusy } from './sqlite-errors.ts'

/** How long a write waits for other processes before it is `busy`. */
const BUSY_BUDGET_MS = 5000

const compile = compiler('sqlite', QUERIES)

// SQLite's own busy handler starves: of eight busy writers one got 8,524 commits and one got 1.
// Full jitter with a doubling ceiling shares fairly.
export async function begin({ db, path }: Connection): Promise<void> {
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
export function commit({ db, path }: Connection): void {
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

export function moment(connection: Connection, systemClock: () => number): Instant {
  const { fixed, floor, last } = connection.clock()
  return latest(fixed ?? toInstant(systemClock()), latest(floor ?? '', last ?? ''))
}

export class Connection {
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
