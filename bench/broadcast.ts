// Measures sending one message to a thousand agents in one transaction. Also compares reading one inbox in a store with
// a million deliveries and in one with ten thousand.

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { connect, type Client as Inbox } from '../src/index.ts'
import { parseAddress } from '../src/store/postgres/open.ts'
import { startPostgres } from '../test/tools/postgres.ts'
import { median } from './numbers.ts'
import { inFolder } from './place.ts'
import type { Figure, Report } from './report.ts'

const AGENTS = 1000
const SMALL = 10_000
const READERS = 20
const ENGINES = ['SQLite', 'PostgreSQL'] as const
type Engine = (typeof ENGINES)[number]

type Options = { deliveries?: number | undefined; samples?: number | undefined }

export async function benchBroadcast({
  deliveries = 1_000_000,
  samples = 200,
}: Options): Promise<Report> {
  const figures: Figure[] = []
  for (const engine of ENGINES) {
    await withStores(engine, async (store) => {
      figures.push(await measureBroadcast(engine, store('broadcast')))
      figures.push(...(await measureChecks(engine, store, deliveries, samples)))
    })
  }
  return {
    figures,
    notes: [
      `${AGENTS} agents that are running; ${READERS} inboxes, in each 50 unread however many are read`,
    ],
  }
}

async function withStores(
  engine: Engine,
  work: (store: (name: string) => string) => Promise<void>,
) {
  if (engine === 'SQLite') {
    return inFolder((folder) => work((name) => join(folder, `${name}.db`)))
  }
  const server = await startPostgres({ durable: true, settings: { max_wal_size: '8GB' } })
  try {
    await work((name) => `${server.url}?schema=${name}`)
  } finally {
    await server.stop()
  }
}

async function measureBroadcast(engine: Engine, db: string): Promise<Figure> {
  const inbox = await connect(db, { agent: 'sender' })
  const names = Array.from({ length: AGENTS }, (_, i) => `agent-${i}`)
  await Promise.all(names.map((agent) => inbox.agentRegister({ agent, status: 'running' })))
  const times: number[] = []
  for (let i = 0; i < 20; i++) {
    const startedAt = performance.now()
    const { recipients } = await inbox.mailSend({ to: 'broadcast', type: 'status', subject: 'all' })
    times.push(performance.now() - startedAt)
    if (recipients.length !== AGENTS) throw new Error(`it reached ${recipients.length}`)
  }
  await inbox.close()
  return {
    name: `${engine}, one message to ${AGENTS} agents`,
    value: median(times),
    unit: 'ms',
    bar: { at: '<=', value: 50 },
    over: 'the whole call, commit included; median of 20',
  }
}

async function measureChecks(
  engine: Engine,
  store: (name: string) => string,
  deliveries: number,
  samples: number,
): Promise<Figure[]> {
  const open: Inbox[] = []
  for (const count of [SMALL, deliveries]) {
    const db = store(`inbox_${count}`)
    await (await connect(db, { agent: 'reader-0' })).close()
    await fill(db, count)
    open.push(await connect(db))
  }
  const checks = {
    'mail peek': (inbox: Inbox, agent: string) => inbox.mailPeek({ agent }),
    'mail read --all': (inbox: Inbox, agent: string) => inbox.mailRead({ agent, all: true }),
    'mail history': (inbox: Inbox, _agent: string) => inbox.mailHistory({ agent: 'user' }),
  }
  const figures: Figure[] = []
  for (const [name, check] of Object.entries(checks)) {
    const times = open.map((): number[] => [])
    for (let i = -20; i < samples; i++) {
      for (const [at, inbox] of open.entries()) {
        const startedAt = performance.now()
        await check(inbox, `reader-${(i + 20) % READERS}`)
        if (i >= 0) times[at]?.push(performance.now() - startedAt)
      }
    }
    const [small = 0, large = 0] = times.map(median)
    figures.push({
      name: `${engine}, ${name} with ${deliveries} deliveries`,
      value: large / small,
      unit: 'x',
      bar: { at: '<=', value: 1.5 },
      over: `the same with ${SMALL}, ${small.toFixed(2)} ms`,
    })
  }
  for (const inbox of open) await inbox.close()
  return figures
}

async function fill(db: string, deliveries: number): Promise<void> {
  const statements = rows(deliveries)
  if (!db.startsWith('postgres')) {
    const file = new DatabaseSync(db)
    file.exec('pragma synchronous = off; begin')
    for (const statement of statements) file.exec(statement)
    file.exec('commit; pragma wal_checkpoint(truncate)')
    file.close()
    return
  }
  const client = new Client(parseAddress(db).config)
  await client.connect()
  await client.query('begin')
  for (const statement of statements) await client.query(statement)
  await client.query('commit')
  await client.query('vacuum analyze')
  await client.end()
}

/** Each message goes to one of the readers. Each reader's last fifty are unread. */
function rows(count: number): string[] {
  const n = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})`
  const padded = 'substr(cast(10000000000 + i as text), 2)'
  const at = "'2026-01-01T00:00:00.000Z'"
  const reader = `'reader-' || cast(i % ${READERS} as text)`
  const isUnread = `e.event_id > (select max(event_id) from events) - ${50 * READERS}`
  const a = "'aaaaaaaaaaaaaaaa'"
  return [
    `insert into threads (thread_id, run_id, task_id, subject, created_by, assigned_to, status,
       latest_message_id, message_count, created_at, updated_at, kind)
     ${n} select 'thr_' || ${padded} || ${a}, '', '', 'Part', 'sender', '', 'open',
       'msg_' || ${padded} || ${a}, 1, ${at}, ${at}, 'mail' from n`,
    `insert into messages (message_id, thread_id, seq, from_agent, to_agent, kind, summary, body,
       created_at)
     ${n} select 'msg_' || ${padded} || ${a}, 'thr_' || ${padded} || ${a}, 1, 'sender', ${reader},
       'progress', 'Part', 'A message of ordinary length says what is wanted.', ${at} from n`,
    `insert into events (run_id, task_id, thread_id, source, event_type, agent, status, message_id,
       summary, payload_json, created_at)
     ${n} select '', '', 'thr_' || ${padded} || ${a}, 'inbox', 'mail_send', 'sender', 'open',
       'msg_' || ${padded} || ${a}, 'Part',
       '{"subject":"Part","recipients":["' || ${reader} || '"],"expires_at":null}', ${at} from n`,
    `insert into deliveries (recipient, event_id, message_id, thread_id, seq, kind, state, queued_at,
       read_at, read_by)
     select m.to_agent, e.event_id, m.message_id, m.thread_id, 1, m.kind,
       case when ${isUnread} then 'queued' else 'read' end, ${at},
       case when ${isUnread} then null else ${at} end,
       case when ${isUnread} then null else 'mark' end
     from events e join messages m on m.message_id = e.message_id order by e.event_id`,
  ]
}
