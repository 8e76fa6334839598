// Fills a store with a large number of pushes in a few statements, like an inbox after long use.

import { Database } from 'bun:sqlite'
import { connect } from '../../src/index.ts'

const DAY_S = 86_400

export type Filling = {
  pushes: number
  /** The number of days, ending yesterday, over which the pushes are spread. */
  days: number
}

export function pushIdOf(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
}

/** Creates a store with this many agents, which take the roles in turn. */
export async function fillAgents(path: string, count: number, roles: string[]): Promise<string[]> {
  const names = Array.from({ length: count }, (_, at) => `worker-${String(at).padStart(3, '0')}`)
  const inbox = await connect(path)
  await inbox.init({})
  for (const [at, agent] of names.entries()) {
    await inbox.agentRegister({ agent, role: roles[at % roles.length] ?? '' })
  }
  await inbox.close()
  return names
}

/** The newest push is number `pushes`. One in five is unread. */
export async function fillDesk(path: string, { pushes, days }: Filling): Promise<void> {
  const inbox = await connect(path)
  await inbox.init({})
  await inbox.close()
  const db = new Database(path)
  db.exec('pragma synchronous = off; begin')
  const end = Math.floor(Date.now() / 1000 / DAY_S) * DAY_S - 1
  const second = `${end - days * DAY_S} + i * ${days * DAY_S} / ${pushes}`
  const id = "'00000000-0000-4000-8000-' || substr(cast(1000000000000 + i as text), 2)"
  const message = "'msg_' || substr(cast(1000000000000 + i as text), 2) || '0000000000000'"
  db.exec(`create temp table n as
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${pushes})
    select i, ${id} as id, ${message} as message, 'agent-' || (i % 7) as agent,
      'Report number ' || i as subject,
      strftime('%Y-%m-%dT%H:%M:%S', ${second}, 'unixepoch') || '.000Z' as at
    from n`)
  db.exec(`insert into threads (thread_id, run_id, task_id, subject, created_by, assigned_to, status,
      latest_message_id, message_count, created_at, updated_at, kind)
    select id, '', '', subject, agent, '', 'open', message, 1, at, at, 'push' from n`)
  db.exec(`insert into messages (message_id, thread_id, seq, from_agent, to_agent, kind, summary, body,
      payload_json, created_at)
    select message, id, 1, agent, 'user', 'custom', subject,
      subject || char(10) || 'All steps pass, and the numbers are in the file.', '{"origin":{}}', at
    from n`)
  db.exec(`insert into events (run_id, task_id, thread_id, source, event_type, agent, status,
      message_id, summary, payload_json, created_at)
    select '', '', id, 'inbox', 'push_send', agent, 'open', message, subject,
      '{"recipients":["user"],"workspace_id":"","workspace_label":"","form":"push"}', at
    from n order by i`)
  db.exec(`insert into deliveries (recipient, event_id, message_id, thread_id, seq, kind, state,
      queued_at, read_at, read_by)
    select 'user', e.event_id, n.message, n.id, 1, 'custom',
      case when n.i % 5 = 0 then 'queued' else 'read' end, n.at,
      case when n.i % 5 = 0 then null else n.at end, case when n.i % 5 = 0 then null else 'show' end
    from events e join n on n.message = e.message_id`)
  db.exec(`insert into pushes (thread_id, workspace_id, workspace_label, form, created_at)
    select id, '', '', 'push', at from n`)
  db.exec(`insert into desk_rows (person, thread_id, event_id, at, unread, is_unread, is_notification, workspace_id,
      created_by, needs, wanted_by, wakes_at, is_woken)
    select 'user', n.id, d.event_id, n.at, n.i % 5 = 0, n.i % 5 = 0, 0, '', n.agent, '', '9999', '', 0
    from deliveries d join n on n.id = d.thread_id`)
  db.exec('commit; analyze; pragma wal_checkpoint(truncate)')
  db.close()
}
