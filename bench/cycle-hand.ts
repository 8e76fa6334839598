// The loop one would write by hand for one process: the same schema, the same rows and the same three durable commits
// per cycle, prepared once and run one after the other. No queue, no idempotency, no waiters, no refusals.

import { DatabaseSync } from 'node:sqlite'

export function handLoop(path: string, agent: string) {
  const db = new DatabaseSync(path)
  db.exec('pragma synchronous = full; pragma foreign_keys = on; pragma busy_timeout = 5000')
  const pending = db.prepare(
    `select * from threads where status = 'pending' and assigned_to = ?
     order by priority_rank, created_at, thread_id limit 1`,
  )
  const held = db.prepare(
    `select t.*, l.lease_token, l.expires_at from threads t join leases l using (thread_id)
     where t.thread_id = ? and l.released_at is null`,
  )
  const move = db.prepare(
    `update threads set status = ?, assigned_to = ?, latest_message_id = ?, message_count = ?,
     updated_at = ? where thread_id = ?`,
  )
  const say = db.prepare(
    `insert into messages (message_id, thread_id, seq, from_agent, to_agent, kind, summary, body,
     payload_json, created_at) values (?, ?, ?, ?, ?, ?, ?, '', '{}', ?)`,
  )
  const take = db.prepare(
    `insert into leases (thread_id, agent_id, lease_token, generation, lease_seconds, claimed_at,
     expires_at) values (?, ?, ?, 1, 900, ?, ?)`,
  )
  const release = db.prepare('update leases set released_at = ? where thread_id = ?')
  const log = db.prepare(
    `insert into events (run_id, task_id, thread_id, source, event_type, agent, status, message_id,
     summary, payload_json, created_at) values (?, ?, ?, 'inbox', ?, ?, ?, ?, ?, '{}', ?)`,
  )
  const deliver = db.prepare(
    `insert into deliveries (recipient, event_id, message_id, thread_id, seq, kind, state, queued_at)
     values (?, ?, ?, ?, ?, ?, 'queued', ?)`,
  )
  const act = db.prepare(
    `update deliveries set state = 'acted', acted_at = ?, acted_by = ?
     where thread_id = ? and recipient = ? and state in ('queued', 'presented', 'read')`,
  )
  let made = 0
  const makeId = (prefix: string) => `${prefix}_hand${String(made++).padStart(22, '0')}`
  type Row = Record<string, string | number>

  const step = (find: () => Row | undefined, status: string, kind: string, summary: string) => {
    db.exec('begin immediate')
    const thread = find()
    if (thread === undefined) throw new Error('nothing left')
    const now = new Date().toISOString()
    const id = thread.thread_id as string
    const message = makeId('msg')
    const seq = BigInt(Number(thread.message_count) + 1)
    move.run(status, agent, message, seq, now, id)
    say.run(message, id, seq, agent, thread.created_by as string, kind, summary, now)
    if (status === 'claimed') {
      const expires = new Date(Date.now() + 900_000).toISOString()
      take.run(id, agent, makeId('lse'), now, expires)
    }
    if (status === 'done') release.run(now, id)
    const { run_id, task_id } = thread as Record<string, string>
    const words = [run_id as string, task_id as string, id, kind, agent, status, message, summary]
    const event = log.run(...words, now).lastInsertRowid
    act.run(now, kind, id, agent)
    if (kind !== 'event')
      deliver.run(thread.created_by as string, event, message, id, seq, kind, now)
    db.exec('commit')
    return id
  }

  return {
    cycle(): void {
      const id = step(() => pending.get(agent) as Row | undefined, 'claimed', 'event', 'claimed')
      const again = () => held.get(id) as Row | undefined
      step(again, 'in_progress', 'progress', 'half of it is done')
      step(again, 'done', 'result', 'all of it is done')
    },
    close: () => db.close(),
  }
}

/** The least that three durable commits can cost: one small row each, one table, no index. */
export function bareLoop(path: string) {
  const db = new DatabaseSync(path)
  db.exec('pragma journal_mode = wal; pragma synchronous = full')
  db.exec('create table if not exists t (id integer primary key, body text)')
  const insert = db.prepare('insert into t (body) values (?)')
  const body = 'x'.repeat(500)
  return {
    cycle(): void {
      for (let i = 0; i < 3; i++) insert.run(body)
    },
    close: () => db.close(),
  }
}
