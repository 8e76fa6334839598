// Generated from src/store/queries/ by scripts/generate.ts. Do not edit.

import type { Query } from './compile.ts'

export const QUERIES: Record<string, Query> = {
  "history_window": "-- How far back one look goes: the oldest of so many events.\nselect min(event_id) as event_id from (\n  select event_id from events\n  where event_id < :before\n    and thread_id = :thread_id -- if :thread_id\n  order by event_id desc limit :scan\n) looked",
  "history_page": "select e.event_id, m.*\nfrom events e join messages m on m.message_id = e.message_id\nwhere e.event_id < :before and e.event_id >= :bottom\n  and e.thread_id = :thread_id -- if :thread_id\n  and m.kind <> 'event'\n  and m.kind in (:kinds...) -- if :kinds\n  and e.event_id > :after -- if :after\n  and m.created_at >= :since -- if :since\n  and m.created_at <= :until -- if :until\n  -- if :party (\n  and (m.from_agent = :party or m.to_agent = :party or exists (\n    select 1 from deliveries d where d.thread_id = m.thread_id and d.recipient = :party\n      and d.message_id = m.message_id))\n  -- )\n  -- if :reader (\n  and (m.from_agent = :reader or m.to_agent = :reader or exists (\n    select 1 from deliveries d where d.thread_id = m.thread_id and d.recipient = :reader\n      and d.message_id = m.message_id))\n  -- )\n  -- if :pattern (\n  and (lower(m.summary) like :pattern escape '~' or lower(m.body) like :pattern escape '~')\n  -- )\norder by e.event_id desc\nlimit :limit",
  "log_events": {
    "sql": "select * from events where event_id > ?1 order by event_id limit ?2",
    "names": [
      "after",
      "limit"
    ]
  },
  "log_messages": {
    "sql": "select m.* from events e join messages m on m.message_id = e.message_id\nwhere e.event_id > ?1 and e.event_id <= ?2",
    "names": [
      "after",
      "upto"
    ]
  },
  "log_artifacts": {
    "sql": "select a.* from events e join artifacts a on a.message_id = e.message_id\nwhere e.event_id > ?1 and e.event_id <= ?2\norder by a.artifact_id",
    "names": [
      "after",
      "upto"
    ]
  },
  "log_by_thread": {
    "sql": "\nselect e.*, m.message_id as found_id, m.thread_id as found_in, m.seq, m.from_agent, m.to_agent, m.kind\nfrom events e left join messages m on m.message_id = e.message_id\nwhere (e.thread_id, e.event_id) > (?1, ?2)\norder by e.thread_id, e.event_id limit ?3",
    "names": [
      "after_thread",
      "after_event",
      "limit"
    ]
  },
  "threads_page": "select * from threads\nwhere thread_id > :after\n  and thread_id <= :upto -- if :upto\norder by thread_id limit :limit",
  "leases_page": "select * from leases\nwhere thread_id > :after\n  and thread_id <= :upto -- if :upto\norder by thread_id limit :limit",
  "reads_page": "select * from thread_reads\nwhere (thread_id, agent_id) > (:after_thread, :after_agent)\n  and thread_id <= :upto -- if :upto\norder by thread_id, agent_id limit :limit",
  "deliveries_page": "select * from deliveries\nwhere (thread_id, recipient, event_id) > (:after_thread, :after_recipient, :after_event)\n  and thread_id <= :upto -- if :upto\norder by thread_id, recipient, event_id limit :limit",
  "messages_between": "select count(*) as n from messages\nwhere thread_id > :after\n  and thread_id <= :upto -- if :upto",
  "agents_page": {
    "sql": "select * from agents where agent_id > ?1 order by agent_id limit ?2",
    "names": [
      "after",
      "limit"
    ]
  },
  "people_page": {
    "sql": "select * from people where person_id > ?1 order by person_id limit ?2",
    "names": [
      "after",
      "limit"
    ]
  },
  "wakes_page": {
    "sql": "select * from wakes where wake_id > ?1 order by wake_id limit ?2",
    "names": [
      "after",
      "limit"
    ]
  },
  "mail_waiting": {
    "sql": "select d.recipient, count(*) as n, min(d.queued_at) as since\nfrom deliveries d join threads t on t.thread_id = d.thread_id\nwhere d.state = 'queued' and d.queued_at < ?1 and t.kind = 'mail'\ngroup by d.recipient\norder by d.recipient",
    "names": [
      "before"
    ]
  },
  "mailbox_by_time": {
    "sql": "\n\nselect m.*, coalesce((select max(case when d.state in ('queued', 'presented') then 1 else 0 end)\n         from deliveries d\n         where d.thread_id = m.thread_id and d.message_id = m.message_id), 0) as unread\nfrom messages m\nwhere m.kind <> 'event' and (m.created_at, m.message_id) > (?1, ?2)\norder by m.created_at, m.message_id\nlimit ?3",
    "names": [
      "after_at",
      "after_message",
      "limit"
    ]
  },
  "mailbox_by_event": {
    "sql": "\nselect m.*, e.event_id,\n       coalesce((select max(case when d.state in ('queued', 'presented') then 1 else 0 end)\n         from deliveries d\n         where d.thread_id = m.thread_id and d.message_id = m.message_id), 0) as unread\nfrom events e join messages m on m.message_id = e.message_id\nwhere e.event_id > ?1 and m.kind <> 'event'\norder by e.event_id\nlimit ?2",
    "names": [
      "after",
      "limit"
    ]
  },
  "threads_count": {
    "sql": "select status, count(*) as n from threads group by status",
    "names": []
  },
  "threads_oldest_pending": {
    "sql": "select * from threads where status = 'pending' order by created_at, thread_id limit 1",
    "names": []
  },
  "messages_count": {
    "sql": "select count(*) as n from messages",
    "names": []
  },
  "latest_question": {
    "sql": "select * from messages where thread_id = ?1 and kind = 'question'\norder by seq desc limit 1",
    "names": [
      "thread_id"
    ]
  },
  "events_count": {
    "sql": "select count(*) as n from events",
    "names": []
  },
  "leases_expiring": {
    "sql": "select * from leases where released_at is null order by expires_at limit ?1",
    "names": [
      "limit"
    ]
  },
  "pushes_list": "-- Newest first. Times can be equal; then the log decides, where every push was sent to its owner.\n-- Crossed, because SQLite then begins with the first: else it would read all that was ever sent.\nselect p.*, d.event_id, m.message_id, m.from_agent, m.summary, m.body, m.payload_json,\n       t.message_count, t.status,\n       (select count(*) from deliveries r\n        where r.thread_id = p.thread_id and r.recipient = :reader\n          and (r.state in ('queued', 'presented') or r.unread_at is not null)) as unread\nfrom pushes p cross join threads t cross join deliveries d cross join messages m\nwhere t.thread_id = p.thread_id\n  and d.thread_id = p.thread_id and d.recipient = 'user' and d.seq = 1\n  and m.thread_id = p.thread_id and m.seq = 1\n  and p.deleted_at is null\n  and p.thread_id = :thread_id -- if :thread_id\n  and p.trashed_at is null -- if :open\n  and p.trashed_at is not null -- if :trashed\n  and p.workspace_id = :workspace_id -- if :workspace_id\n  and p.form = :form -- if :form\n  and m.from_agent = :from_agent -- if :from_agent\n  -- if :unread_only (\n  and exists (select 1 from deliveries r\n    where r.thread_id = p.thread_id and r.recipient = :reader\n      and (r.state in ('queued', 'presented') or r.unread_at is not null))\n  -- )\n  -- if :before_at (\n  and p.created_at <= :before_at and (p.created_at < :before_at or d.event_id < :before_event)\n  -- )\norder by p.created_at desc, d.event_id desc\nlimit :limit",
  "push_place": {
    "sql": "select p.created_at, d.event_id\nfrom pushes p\n  left join deliveries d on d.thread_id = p.thread_id and d.recipient = 'user' and d.seq = 1\nwhere p.thread_id = ?1",
    "names": [
      "thread_id"
    ]
  },
  "pushes_artifacts": "select a.* from artifacts a where a.message_id in (:messages...)",
  "pushes_unread": "-- Badge and list ask alike: what a person has not read, or keeps unread.\nselect count(distinct p.thread_id) as n\nfrom (\n    select thread_id from deliveries\n    where recipient = :reader and state in ('queued', 'presented')\n    union all\n    select thread_id from deliveries where recipient = :reader and unread_at is not null\n  ) r join pushes p on p.thread_id = r.thread_id\nwhere p.trashed_at is null and p.deleted_at is null\n  and p.form = :form -- if :form",
  "pushes_page": "select * from pushes\nwhere thread_id > :after\n  and thread_id <= :upto -- if :upto\norder by thread_id limit :limit",
  "entries_page": {
    "sql": "\nselect e.event_id, e.event_type, p.*, m.message_id, m.from_agent, m.body, m.payload_json\nfrom events e\n  join pushes p on p.thread_id = e.thread_id\n  join messages m on m.thread_id = e.thread_id and m.seq = 1\nwhere e.event_id > ?1 and e.event_type in ('push_send', 'push_delete')\norder by e.event_id\nlimit ?2",
    "names": [
      "after",
      "limit"
    ]
  },
  "threads_prunable": "select t.* from threads t\nwhere status = :status and updated_at < :before\n  -- if :read_only (\n  and not exists (select 1 from deliveries d\n    where d.thread_id = t.thread_id and d.state in ('queued', 'presented'))\n  -- )\norder by updated_at, thread_id\nlimit :limit",
  "mail_totals": {
    "sql": "select\n  (select cast(coalesce(sum(message_count), 0) as bigint) from threads where kind = 'mail')\n    as messages,\n  (select count(*) from threads where kind = 'mail' and updated_at < ?1) as old,\n  (select count(distinct d.message_id) from deliveries d join threads t on t.thread_id = d.thread_id\n    where d.state in ('queued', 'presented') and t.kind = 'mail') as unread",
    "names": [
      "before"
    ]
  },
  "wakes_prunable": {
    "sql": "\nselect w.wake_id from wakes w\nwhere w.started_at < ?1 and coalesce(w.ended_at, ?1) < ?1\n  and exists (select 1 from wakes n\n    where n.agent_id = w.agent_id and n.state = w.state and n.cause = w.cause\n      and (n.started_at > w.started_at or (n.started_at = w.started_at and n.wake_id > w.wake_id)))\norder by w.started_at\nlimit ?2",
    "names": [
      "before",
      "limit"
    ]
  },
  "wake_get": {
    "sql": "select * from wakes where wake_id = ?1",
    "names": [
      "wake_id"
    ]
  },
  "wakes_open": {
    "sql": "select * from wakes where ended_at is null order by expires_at limit ?1",
    "names": [
      "limit"
    ]
  },
  "wakes_list": "select * from wakes\nwhere started_at > ''\n  and agent_id = :agent_id -- if :agent_id\norder by started_at desc, wake_id desc\nlimit :limit",
  "agents_mailed": {
    "sql": "\nselect a.agent_id from agents a\nwhere a.wake_json <> '{}' and exists (\n  select 1 from deliveries d\n  where d.recipient = a.agent_id and d.event_id > ?1 and d.state in ('queued', 'presented')\n    and (d.expires_at is null or d.expires_at > ?2))",
    "names": [
      "after",
      "now"
    ]
  },
  "agent_events": {
    "sql": "\nselect payload_json from events where event_id > ?1 and thread_id = '' order by event_id",
    "names": [
      "after"
    ]
  }
}
