// Fills a fresh store with any number of threads, with messages, leases, read marks and events, using a few SQL
// statements that run on both engines. The log replays to the tables, so `inbox doctor` reports no problem; a bench on
// impossible rows would measure nothing.
// Of 100 threads, 20 are pending, 15 held (claimed, in progress, blocked), 60 done, 3 failed, 2 cancelled. With 4
// workers and 3 leaders, nearly every list is longer than its limit from 10,000 threads on. Leases are live, except for
// 15 per worker, whatever the store's size.

import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { connect } from '../src/index.ts'
import { parseAddress } from '../src/store/postgres/open.ts'

export const WORKERS = 4
export const LEADERS = 3
/** Threads of each worker and status are in blocks of 100. */
const BLOCK = 100

type Dialect = 'sqlite' | 'postgres'
export type Filling = {
  threads: number
  /** Makes every thread pending, as the backlog for a queue bench. */
  onlyPending?: boolean
  workers?: number
}

export async function fillStore(db: string, filling: Filling): Promise<void> {
  const inbox = await connect(db)
  await inbox.init({})
  await inbox.close()
  if (db.startsWith('postgres')) await fillPostgres(db, filling)
  else fillSqlite(db, filling)
}

function fillSqlite(path: string, filling: Filling): void {
  const db = new DatabaseSync(path)
  db.exec('pragma synchronous = off; pragma cache_size = -400000; begin')
  for (const statement of statements('sqlite', filling)) db.exec(statement)
  db.exec('commit')
  db.exec('pragma wal_checkpoint(truncate)')
  db.close()
}

async function fillPostgres(url: string, filling: Filling): Promise<void> {
  const client = new Client(parseAddress(url).config)
  await client.connect()
  await client.query("begin; set local work_mem = '256MB'")
  for (const statement of statements('postgres', filling)) await client.query(statement)
  await client.query('commit')
  await client.query('vacuum analyze')
  await client.end()
}

export function threadIdOf(i: number): string {
  return `thr_${String(i).padStart(10, '0')}${'a'.repeat(16)}`
}

function statements(dialect: Dialect, filling: Filling): string[] {
  const { workers = WORKERS } = filling
  const start = Math.floor(Date.now() / 1000) - Math.ceil(filling.threads / 4) - 60
  /** The moment of step k of thread n: four threads per second, in log order. */
  const at = (n: string, k: string, plus = '0') => {
    const second = `${start} + ${n} / 4 + ${plus}`
    const text =
      dialect === 'sqlite'
        ? `strftime('%Y-%m-%dT%H:%M:%S', ${second}, 'unixepoch')`
        : `to_char(to_timestamp(${second}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')`
    return `${text} || '.' || substr(cast(1000 + (${n} % 4) * 250 + (${k} - 1) * 50 as text), 2) || 'Z'`
  }
  const padded = (n: string) => `substr(cast(10000000000 + ${n} as text), 2)`
  const number = 'cast(substr(t.thread_id, 5, 10) as integer)'
  const messageId = (n: string, k: string) =>
    `'msg_' || ${padded(n)} || cast(${k} as text) || '${'a'.repeat(15)}'`
  const seconds = `case when ${number} <= ${workers * BLOCK} then 1 else 604800 end`
  const steps =
    'join (select 1 as k union all select 2 union all select 3) s on s.k <= t.message_count'
  const byWorker = "(s.k > 1 and t.status <> 'cancelled')"
  const kind = `case when s.k = 1 then 'task' when t.status = 'cancelled' then 'control'
    when s.k = 2 then 'event' when t.status = 'in_progress' then 'progress'
    when t.status = 'blocked' then 'question' else 'result' end`
  const summary = `case when s.k = 1 then t.subject when t.status = 'cancelled' then 'not needed'
    when s.k = 2 then 'thread claimed' else 'step three of the work' end`
  const type = `case when s.k = 1 then 'thread_send' when t.status = 'cancelled' then 'thread_cancel'
    when s.k = 2 then 'thread_claim' when t.status = 'done' then 'thread_done'
    when t.status = 'failed' then 'thread_fail' else 'thread_update' end`
  const end = at(String(filling.threads + 4), '1')
  const acted = "(m.seq = 1 and t.status not in ('pending', 'cancelled'))"
  const read = `(m.to_agent = t.created_by and ${number} % 5 = 0)`
  const token = "'lse_' || substr(t.thread_id, 5)"

  return [
    `insert into threads (thread_id, run_id, task_id, subject, created_by, assigned_to, status,
       priority, priority_rank, latest_message_id, message_count, created_at, updated_at)
     with recursive n (i) as (select 1 union all select i + 1 from n where i < ${filling.threads}),
     kinds as (select i, ${filling.onlyPending ? "'pending'" : statusOf('i')} as status from n),
     counted as (select i, status, case status when 'pending' then 1 when 'claimed' then 2
       when 'cancelled' then 2 else 3 end as steps from kinds)
     select 'thr_' || ${padded('i')} || '${'a'.repeat(16)}', 'run-1', 'task-' || cast(i as text),
       'Work on part ' || cast(i as text), 'lead-' || cast(i / ${BLOCK} % ${LEADERS} as text),
       'worker-' || cast(i / ${BLOCK} % ${workers} as text), status,
       case i % 10 when 0 then 'high' when 9 then 'low' else 'normal' end,
       case i % 10 when 0 then 0 when 9 then 2 else 1 end,
       ${messageId('i', 'steps')}, steps, ${at('i', '1')}, ${at('i', 'steps')}
     from counted order by i`,
    `insert into messages (message_id, thread_id, seq, from_agent, to_agent, kind, summary, body,
       payload_json, created_at)
     select ${messageId(number, 's.k')}, t.thread_id, s.k,
       case when ${byWorker} then t.assigned_to else t.created_by end,
       case when ${byWorker} then t.created_by else t.assigned_to end,
       ${kind}, ${summary},
       case when s.k = 1 then '${'A task of ordinary length says what is wanted. '.repeat(6)}' else '' end,
       case when ${kind} = 'event' then '{"lease_seconds":' || ${seconds} || '}' else '{}' end,
       ${at(number, 's.k')}
     from threads t ${steps} order by t.thread_id, s.k`,
    `insert into leases (thread_id, agent_id, lease_token, generation, lease_seconds, claimed_at,
       expires_at, released_at)
     select t.thread_id, t.assigned_to, ${token}, 1, ${seconds}, ${at(number, '2')},
       ${at(number, '2', seconds)},
       case when t.status in ('done', 'failed') then t.updated_at end
     from threads t where t.status not in ('pending', 'cancelled') order by t.thread_id`,
    `insert into events (run_id, task_id, thread_id, source, event_type, agent, status, message_id,
       summary, payload_json, created_at)
     select t.run_id, t.task_id, t.thread_id, 'inbox', ${type},
       case when ${byWorker} then t.assigned_to else t.created_by end,
       case when s.k = t.message_count then t.status when s.k = 1 then 'pending' else 'claimed' end,
       ${messageId(number, 's.k')}, ${summary},
       case ${type} when 'thread_send' then '{"subject":"' || t.subject || '","assigned_to":"' ||
           t.assigned_to || '","priority":"' || t.priority || '"}'
         when 'thread_claim' then '{"lease_token":"' || ${token} || '","lease_seconds":' || ${seconds} || '}'
         when 'thread_update' then '{"status":"' || t.status || '"}' else '{}' end,
       ${at(number, 's.k')}
     from threads t ${steps} order by t.thread_id, s.k`,
    `insert into artifacts (artifact_id, message_id, path, kind, created_at)
     select 'art_' || substr(t.thread_id, 5), ${messageId(number, '1')}, 'out/part.md', 'file',
       t.created_at
     from threads t where ${number} % 10 = 0 order by t.thread_id`,
    // The leaders have read one in five results, all of them at the end.
    `insert into thread_reads (thread_id, agent_id, last_read_message_id, last_read_seq, last_read_at)
     select t.thread_id, t.created_by, t.latest_message_id, t.message_count, ${end}
     from threads t where ${number} % 5 = 0 order by t.thread_id`,
    `insert into events (run_id, task_id, thread_id, source, event_type, agent, status, payload_json,
       created_at)
     select t.run_id, t.task_id, t.thread_id, 'inbox', 'thread_read', t.created_by, t.status,
       '{"message_id":"' || t.latest_message_id || '","seq":' || t.message_count || '}', ${end}
     from threads t where ${number} % 5 = 0 order by t.thread_id`,
    // Tasks are acted on when they are claimed. Messages that the leaders have read were all read at the end.
    `insert into deliveries (recipient, event_id, message_id, thread_id, seq, kind, state, queued_at,
       read_at, read_by, acted_at, acted_by)
     select m.to_agent, e.event_id, m.message_id, m.thread_id, m.seq, m.kind,
       case when ${acted} then 'acted' when ${read} then 'read' else 'queued' end, m.created_at,
       case when ${read} then ${end} end, case when ${read} then 'show' end,
       case when ${acted} then ${at(number, '2')} end, case when ${acted} then 'thread_claim' end
     from events e join messages m on m.message_id = e.message_id
       join threads t on t.thread_id = e.thread_id
     where m.kind <> 'event' order by e.event_id`,
    `insert into idempotency_keys (agent, idempotency_key, request_hash, response_json, event_id,
       created_at)
     select t.created_by, 'send ' || t.thread_id, 'hash', '{}', 1, t.created_at
     from threads t where ${number} % 5 = 0 order by t.thread_id`,
  ]
}

function statusOf(i: string): string {
  const of = `${i} % ${BLOCK}`
  return `case when ${of} < 20 then 'pending' when ${of} < 25 then 'claimed'
    when ${of} < 30 then 'in_progress' when ${of} < 35 then 'blocked' when ${of} < 95 then 'done'
    when ${of} < 98 then 'failed' else 'cancelled' end`
}
