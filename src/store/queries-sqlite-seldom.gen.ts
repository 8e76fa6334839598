// Generated from src/store/queries/ by scripts/generate.ts. Do not edit.

import type { Query } from './compile.ts'

export const QUERIES: Record<string, Query> = {
  "history_window": "select min(event_id) as event_id from (\nselect event_id from events\nwhere event_id < :before\nand thread_id = :thread_id -- if :thread_id\norder by event_id desc limit :scan\n) looked",
  "history_page": "select e.event_id, m.*\nfrom events e join messages m on m.message_id = e.message_id\nwhere e.event_id < :before and e.event_id >= :bottom\nand e.thread_id = :thread_id -- if :thread_id\nand m.kind <> 'event'\nand m.kind in (:kinds...) -- if :kinds\nand e.event_id > :after -- if :after\nand m.created_at >= :since -- if :since\nand m.created_at <= :until -- if :until\n-- if :party (\nand (m.from_agent = :party or m.to_agent = :party or exists (\nselect 1 from deliveries d where d.thread_id = m.thread_id and d.recipient = :party\nand d.message_id = m.message_id))\n-- )\n-- if :reader (\nand (m.from_agent = :reader or m.to_agent = :reader or exists (\nselect 1 from deliveries d where d.thread_id = m.thread_id and d.recipient = :reader\nand d.message_id = m.message_id))\n-- )\n-- if :pattern (\nand (lower(m.summary) like :pattern escape '~' or lower(m.body) like :pattern escape '~')\n-- )\norder by e.event_id desc\nlimit :limit",
  "log_events": {
    "sql": "select * from events where event_id > ?1 order by event_id limit ?2",
    "names": [
      "after",
      "limit"
    ]
  },
  "log_messages": {
    "sql": "select m.* from events e join messages m on m.message_id = e.message_id where e.event_id > ?1 and e.event_id <= ?2",
    "names": [
      "after",
      "upto"
    ]
  },
  "log_artifacts": {
    "sql": "select a.* from events e join artifacts a on a.message_id = e.message_id where e.event_id > ?1 and e.event_id <= ?2 order by a.artifact_id",
    "names": [
      "after",
      "upto"
    ]
  },
  "log_by_thread": {
    "sql": "select e.*, m.message_id as found_id, m.thread_id as found_in, m.seq, m.from_agent, m.to_agent, m.kind, m.in_reply_to from events e left join messages m on m.message_id = e.message_id where (e.thread_id, e.event_id) > (?1, ?2) order by e.thread_id, e.event_id limit ?3",
    "names": [
      "after_thread",
      "after_event",
      "limit"
    ]
  },
  "threads_page": "select * from threads\nwhere thread_id > :after\nand thread_id <= :upto -- if :upto\norder by thread_id limit :limit",
  "leases_page": "select * from leases\nwhere thread_id > :after\nand thread_id <= :upto -- if :upto\norder by thread_id limit :limit",
  "reads_page": "select * from thread_reads\nwhere (thread_id, agent_id) > (:after_thread, :after_agent)\nand thread_id <= :upto -- if :upto\norder by thread_id, agent_id limit :limit",
  "deliveries_page": "select * from deliveries\nwhere (thread_id, recipient, event_id) > (:after_thread, :after_recipient, :after_event)\nand thread_id <= :upto -- if :upto\norder by thread_id, recipient, event_id limit :limit",
  "messages_between": "select count(*) as n from messages\nwhere thread_id > :after\nand thread_id <= :upto -- if :upto",
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
    "sql": "select d.recipient, count(*) as n, min(d.queued_at) as since from deliveries d join threads t on t.thread_id = d.thread_id where d.state = 'queued' and d.queued_at < ?1 and t.kind = 'mail' group by d.recipient order by d.recipient",
    "names": [
      "before"
    ]
  },
  "mailbox_by_time": {
    "sql": "select m.*, coalesce((select max(case when d.state in ('queued', 'presented') and (d.expires_at is null or d.expires_at > ?1) then 4 when d.state in ('read', 'acted') then 3 when d.state = 'bounced' then 2 else 1 end) from deliveries d where d.thread_id = m.thread_id and d.message_id = m.message_id), 0) as furthest, case when m.seq = 1 then (select e.payload_json from events e where e.thread_id = m.thread_id order by e.event_id limit 1) end as facts_json from messages m where m.kind <> 'event' and (m.created_at, m.message_id) > (?2, ?3) order by m.created_at, m.message_id limit ?4",
    "names": [
      "now",
      "after_at",
      "after_message",
      "limit"
    ]
  },
  "mailbox_by_event": {
    "sql": "select m.*, e.event_id, coalesce((select max(case when d.state in ('queued', 'presented') and (d.expires_at is null or d.expires_at > ?1) then 4 when d.state in ('read', 'acted') then 3 when d.state = 'bounced' then 2 else 1 end) from deliveries d where d.thread_id = m.thread_id and d.message_id = m.message_id), 0) as furthest, case when m.seq = 1 then e.payload_json end as facts_json from events e join messages m on m.message_id = e.message_id where e.event_id > ?2 and m.kind <> 'event' order by e.event_id limit ?3",
    "names": [
      "now",
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
    "sql": "select * from messages where thread_id = ?1 and kind = 'question' order by seq desc limit 1",
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
  "pushes_list": "select p.*, d.event_id, m.message_id, m.from_agent, m.summary, m.body, m.payload_json, m.imported_by,\nt.message_count, t.status,\n(select count(*) from deliveries r\nwhere r.thread_id = p.thread_id and r.recipient = :reader\nand (r.state in ('queued', 'presented') or r.unread_at is not null)) as unread\nfrom pushes p cross join threads t cross join deliveries d cross join messages m\nwhere t.thread_id = p.thread_id\nand d.thread_id = p.thread_id and d.recipient = 'user' and d.seq = 1\nand m.thread_id = p.thread_id and m.seq = 1\nand p.deleted_at is null\nand p.thread_id = :thread_id -- if :thread_id\nand p.trashed_at is null -- if :open\nand p.trashed_at is not null -- if :trashed\nand p.workspace_id = :workspace_id -- if :workspace_id\nand p.form = :form -- if :form\nand m.from_agent = :from_agent -- if :from_agent\n-- if :unread_only (\nand exists (select 1 from deliveries r\nwhere r.thread_id = p.thread_id and r.recipient = :reader\nand (r.state in ('queued', 'presented') or r.unread_at is not null))\n-- )\n-- if :before_at (\nand p.created_at <= :before_at and (p.created_at < :before_at or d.event_id < :before_event)\n-- )\norder by p.created_at desc, d.event_id desc\nlimit :limit",
  "push_place": {
    "sql": "select p.created_at, d.event_id from pushes p left join deliveries d on d.thread_id = p.thread_id and d.recipient = 'user' and d.seq = 1 where p.thread_id = ?1",
    "names": [
      "thread_id"
    ]
  },
  "pushes_artifacts": "select a.* from artifacts a where a.message_id in (:messages...)",
  "pushes_unread": "select count(distinct p.thread_id) as n\nfrom (\nselect thread_id from deliveries\nwhere recipient = :reader and state in ('queued', 'presented')\nunion all\nselect thread_id from deliveries where recipient = :reader and unread_at is not null\n) r join pushes p on p.thread_id = r.thread_id\nwhere p.trashed_at is null and p.deleted_at is null\nand p.form = :form -- if :form",
  "pushes_page": "select * from pushes\nwhere thread_id > :after\nand thread_id <= :upto -- if :upto\norder by thread_id limit :limit",
  "entries_page": {
    "sql": "select e.event_id, e.event_type, p.*, m.message_id, m.from_agent, m.body, m.payload_json from events e join pushes p on p.thread_id = e.thread_id join messages m on m.thread_id = e.thread_id and m.seq = 1 where e.event_id > ?1 and e.event_type in ('push_send', 'push_delete') order by e.event_id limit ?2",
    "names": [
      "after",
      "limit"
    ]
  },
  "threads_prunable": "select t.* from threads t\nwhere status = :status and updated_at < :before\n-- if :read_only (\nand not exists (select 1 from deliveries d\nwhere d.thread_id = t.thread_id and d.state in ('queued', 'presented'))\n-- )\norder by updated_at, thread_id\nlimit :limit",
  "mail_totals": {
    "sql": "select (select cast(coalesce(sum(message_count), 0) as bigint) from threads where kind = 'mail') as messages, (select count(*) from threads where kind = 'mail' and updated_at < ?1) as old, (select count(distinct d.message_id) from deliveries d join threads t on t.thread_id = d.thread_id where d.state in ('queued', 'presented') and t.kind = 'mail') as unread",
    "names": [
      "before"
    ]
  },
  "wakes_prunable": {
    "sql": "select w.wake_id from wakes w where w.started_at < ?1 and coalesce(w.ended_at, ?1) < ?1 and exists (select 1 from wakes n where n.agent_id = w.agent_id and n.state = w.state and n.cause = w.cause and (n.started_at > w.started_at or (n.started_at = w.started_at and n.wake_id > w.wake_id))) order by w.started_at limit ?2",
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
  "wakes_list": "select * from wakes\nwhere started_at > ''\nand agent_id = :agent_id -- if :agent_id\norder by started_at desc, wake_id desc\nlimit :limit",
  "agents_mailed": {
    "sql": "select a.agent_id from agents a where a.wake_json <> '{}' and exists ( select 1 from deliveries d where d.recipient = a.agent_id and d.event_id > ?1 and d.state in ('queued', 'presented') and (d.expires_at is null or d.expires_at > ?2))",
    "names": [
      "after",
      "now"
    ]
  },
  "agent_events": {
    "sql": "select payload_json from events where event_id > ?1 and thread_id = '' order by event_id",
    "names": [
      "after"
    ]
  }
}
