// `inbox update` written by hand for this bench: only the guards, statements, rows and answer that the command can't do
// without. Compiled, it is the least an update can cost on this runtime. Arguments: store, thread, agent, summary.

import fs from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { SCHEMA_VERSION } from '../src/store/schema-version.gen.ts'

const APPLICATION_ID = 0x4d61696c
/** The file systems, by statfs type, on which a write-ahead log can't be shared. */
const UNSAFE = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x786f4256, 0x00c36400,
  0x47504653, 0x0bd00bd0, 0x5346414f,
])

const [store = '', id = '', agent = '', summary = ''] = process.argv.slice(2)

type Row = Record<string, string | number | null>

if (!fs.statSync(store).isFile()) throw new Error(`${store} is not a file`)
const folder = store.slice(0, store.lastIndexOf('/'))
if (UNSAFE.has(fs.statfsSync(folder).type >>> 0)) throw new Error(`${folder} is not a local disk`)

const db = new DatabaseSync(store, { timeout: 5000 })
const get = (sql: string, ...values: string[]) => db.prepare(sql).get(...values) as Row | undefined

function mustBe(sql: string, wanted: (found: Row[string] | undefined) => boolean): void {
  const found = Object.values(get(sql) ?? {})[0]
  if (!wanted(found)) throw new Error(`${sql}: ${found}`)
}

mustBe('select sqlite_version()', (found) => {
  const [major = 0, minor = 0, patch = 0] = String(found).split('.').map(Number)
  return major === 3 && (minor > 51 || (minor === 51 && patch >= 3))
})
mustBe('pragma application_id', (found) => found === APPLICATION_ID)
mustBe('pragma user_version', (found) => found === SCHEMA_VERSION)
mustBe('pragma journal_mode', (found) => found === 'wal')
db.exec(`pragma synchronous = full; pragma cache_size = -8000; pragma foreign_keys = on;
  pragma trusted_schema = off; pragma journal_size_limit = 67108864; pragma fullfsync = on;
  pragma checkpoint_fullfsync = on; pragma busy_timeout = 0`)

// The bell is next to the file itself, not next to a link to it.
if (fs.lstatSync(store).isSymbolicLink()) throw new Error(`${store} is a link`)
const bell = `${fs.realpathSync(folder)}${store.slice(folder.length)}.bell`

db.exec('begin immediate')
const clock = get(`select (select value from settings where name = 'clock') as fixed,
  (select value from settings where name = 'clock_floor') as floor,
  (select created_at from events order by event_id desc limit 1) as last`)
let now = String(clock?.fixed ?? new Date().toISOString())
for (const least of [clock?.floor, clock?.last]) if (least && String(least) > now) now = `${least}`

const thread = get('select * from threads where thread_id = ?', id)
const lease = get('select * from leases where thread_id = ?', id)
if (thread === undefined || (thread.status !== 'claimed' && thread.status !== 'in_progress'))
  throw new Error(`${id} cannot be updated`)
if (lease?.agent_id !== agent || lease.released_at !== null || String(lease.expires_at) <= now)
  throw new Error(`${id} is not held by ${agent}`)

const seq = Number(thread.message_count) + 1
const message = {
  message_id: `msg_${crypto.randomUUID().replaceAll('-', '').slice(0, 26)}`,
  thread_id: id,
  seq,
  from_agent: agent,
  to_agent: String(thread.created_by),
  kind: 'progress',
  summary,
  body: '',
  payload_json: '{}',
  created_at: now,
}
const status = 'in_progress'
const changed = { status, latest_message_id: message.message_id, message_count: seq }

db.prepare(
  `update threads set status = ?, latest_message_id = ?, message_count = ?, updated_at = ?
   where thread_id = ?`,
).run(status, message.message_id, BigInt(seq), now, id)
db.prepare(
  `insert into messages (message_id, thread_id, seq, from_agent, to_agent, kind, summary, body,
   payload_json, created_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
).run(...Object.values({ ...message, seq: BigInt(seq) }))
const { lastInsertRowid } = db
  .prepare(
    `insert into events (run_id, task_id, thread_id, source, event_type, agent, status, message_id,
     summary, payload_json, created_at) values (?, ?, ?, 'inbox', 'thread_update', ?, ?, ?, ?, ?, ?)`,
  )
  .run(
    String(thread.run_id),
    String(thread.task_id),
    id,
    agent,
    status,
    message.message_id,
    summary,
    '{"status":"in_progress"}',
    now,
  )
db.prepare(
  `update deliveries set state = 'acted', acted_at = ?, acted_by = 'thread_update'
   where thread_id = ? and recipient = ? and state in ('queued', 'presented', 'read')`,
).run(now, id, agent)
db.prepare(
  `insert into deliveries (recipient, event_id, message_id, thread_id, seq, kind, state, queued_at)
   values (?, ?, ?, ?, ?, 'progress', 'queued', ?)`,
).run(message.to_agent, lastInsertRowid, message.message_id, id, BigInt(seq), now)
db.exec('commit')

const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = fs.constants
const fd = fs.openSync(bell, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
if (!fs.fstatSync(fd).isFile()) throw new Error(`${bell} is not a plain file`)
fs.writeSync(fd, new Uint8Array([49]), 0, 1, 0)
fs.closeSync(fd)

const answer = {
  ok: true,
  command: 'update',
  thread: { ...thread, ...changed, updated_at: now },
  message: { ...message, payload_json: {}, artifacts: [] },
  lease: {
    agent,
    token: lease.lease_token,
    generation: lease.generation,
    expires_at: lease.expires_at,
  },
  next_event_id: Number(lastInsertRowid),
}
fs.writeSync(1, new TextEncoder().encode(`${JSON.stringify(answer)}\n`))
db.close()
