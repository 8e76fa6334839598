// Finds the threads, messages and agent runs a short id may stand for. Both engines run the same query.

import type { Like, ShortIdLooks } from '../../core/threads/short-id-reads.ts'
import type { MadeQuery } from '../compile.ts'
import type { Querier } from '../querier.ts'

export function makeShortIdLooks(querier: Querier): ShortIdLooks {
  return {
    like: async (what, range, limit) => querier.all(likeQuery(what), { ...range, limit }),
  }
}

const TABLES: Record<keyof Like, { table: string; key: string; columns: string }> = {
  thread: {
    table: 'threads',
    key: 'thread_id',
    columns: 'thread_id, kind, created_by, subject',
  },
  message: { table: 'messages', key: 'message_id', columns: 'message_id, thread_id, summary' },
  agent_run: { table: 'agent_runs', key: 'agent_run_id', columns: 'agent_run_id, agent_id' },
}

export const LIKE = Object.keys(TABLES) as (keyof Like)[]

/** Two index ranges: one of the primary key, and one of the index on the random end of the ids. */
export function likeQuery(what: keyof Like): MadeQuery {
  const { table, key, columns } = TABLES[what]
  const chance = `substr(${key}, 15)`
  const text = `select * from (
    select ${columns} from ${table} where ${key} >= :from and ${key} < :upto order by ${key} limit :limit
  ) begun
  union all
  select * from (
    select ${columns} from ${table} where ${chance} >= :chance and ${chance} < :chance_upto
    order by ${chance} limit :limit
  ) by_chance`
  return { name: `${table}_like`, text }
}
