// Generated from the queries in src/store by scripts/generate.ts. Do not edit.

import type { Query } from '../compile.ts'

export const QUERIES: Record<string, Query> = {
  "desk_awake": "select thread_id, event_id from desk_rows\nwhere person = :person and wakes_at = ''\nand is_notification = :is_notification\nand event_id < :before -- if :before\nand event_id > :after -- if :after\nand workspace_id = :workspace_id and workspace_id <> '' -- if :workspace_id\nand created_by = :from_agent -- if :from_agent\nand is_unread = 1 -- if :unread_only\norder by event_id\ndesc -- if :down\nlimit :limit",
  "desk_back": "select thread_id, event_id, at, unread from desk_rows\nwhere person = :person and wakes_at <> '' and wakes_at <= :now\nand is_notification = :is_notification\nand event_id < :before -- if :before\nand event_id > :after -- if :after\nand workspace_id = :workspace_id and workspace_id <> '' -- if :workspace_id\nand created_by = :from_agent -- if :from_agent\nand is_unread = 1 -- if :unread_only\norder by event_id\ndesc -- if :down\nlimit :limit",
  "desk_asleep": "select thread_id, event_id, at, unread from desk_rows\nwhere person = :person and wakes_at <> '' and wakes_at || '' > :now\nand is_notification = :is_notification\nand event_id < :before -- if :before\nand event_id > :after -- if :after\nand workspace_id = :workspace_id and workspace_id <> '' -- if :workspace_id\nand created_by = :from_agent -- if :from_agent\nand is_unread = 1 -- if :unread_only\norder by event_id\ndesc -- if :down\nlimit :limit",
  "desk_times": "select event_id, at from desk_rows\nwhere person = :person and wakes_at = ''\nand is_notification = :is_notification\nand event_id < :before -- if :before\nand event_id > :after -- if :after\nand workspace_id = :workspace_id and workspace_id <> '' -- if :workspace_id\nand created_by = :from_agent -- if :from_agent\nand is_unread = 1 -- if :unread_only\norder by event_id desc\nlimit :limit",
  "desk_shown": "select r.thread_id, t.kind as thread_kind, t.subject, t.created_by, d.kind as message_kind,\nm.from_agent, m.summary, substr(m.body, 1, 240) as preview, r.at as queued_at, m.imported_by, r.unread,\n(select count(*) from messages f join artifacts a on a.message_id = f.message_id\nwhere f.thread_id = r.thread_id and f.seq = 1) as documents,\np.workspace_id, coalesce(w.label, p.workspace_label) as workspace_label, p.form,\nq.request_type, q.risk, q.expires_at as wanted_by, r.needs, r.wakes_at, r.is_woken,\ncase when r.wakes_at <> '' and r.wakes_at <= :now then 1 else 0 end as is_back\nfrom desk_rows r cross join threads t cross join deliveries d cross join messages m\nleft join pushes p on p.thread_id = r.thread_id\nleft join workspaces w on w.workspace_id = p.workspace_id\nleft join requests q on q.thread_id = r.thread_id\nwhere r.person = :person and r.thread_id in (:threads...)\nand t.thread_id = r.thread_id\nand d.recipient = :person and d.event_id = r.event_id and m.message_id = d.message_id\n-- if :part (\nand (instr(lower(t.subject), :part) > 0 or instr(lower(m.summary), :part) > 0\nor instr(lower(t.created_by), :part) > 0 or instr(lower(m.from_agent), :part) > 0\nor instr(lower(coalesce(w.label, p.workspace_label, '')), :part) > 0\nor instr(lower(case when octet_length(m.body) <= 8192 then substr(m.body, 1, 240) else '' end), :part) > 0\nor exists (select 1 from messages f join artifacts a on a.message_id = f.message_id\nwhere f.thread_id = r.thread_id and f.seq = 1 and instr(lower(a.path), :part) > 0))\n-- )",
  "desk_place": {
    "sql": "select event_id, case when wakes_at <> '' and wakes_at <= ?1 then 1 else 0 end as is_back from desk_rows where person = ?2 and thread_id = ?3",
    "names": [
      "now",
      "person",
      "thread_id"
    ]
  },
  "desk_unread": {
    "sql": "select (select count(*) from desk_rows where person = ?1 and is_unread = 1 and is_notification = ?2 and wakes_at = '') + (select count(*) from desk_rows where person = ?1 and wakes_at <> '' and wakes_at <= ?3 and is_notification = ?2 and is_unread = 1) as n",
    "names": [
      "person",
      "is_notification",
      "now"
    ]
  },
  "desk_needs": "select thread_id, event_id from desk_rows\nwhere person = :person and needs <> '' and wakes_at <= :now\nand workspace_id = :workspace_id and workspace_id <> '' -- if :workspace_id\nand created_by = :from_agent -- if :from_agent\nand is_unread = 1 -- if :unread_only\n-- if :after_by (\nand wanted_by >= :after_by and (wanted_by > :after_by or event_id > :after_event)\n-- )\norder by wanted_by, event_id\nlimit :limit",
  "desk_needs_place": {
    "sql": "select coalesce((select q.expires_at from requests q where q.thread_id = d.thread_id), '9999') as wanted_by from deliveries d where d.recipient = ?1 and d.event_id = ?2",
    "names": [
      "person",
      "event_id"
    ]
  },
  "desk_needs_count": {
    "sql": "select needs, count(*) as n, min(wanted_by) as soonest from desk_rows where person = ?1 and needs <> '' and wakes_at <= ?2 group by needs",
    "names": [
      "person",
      "now"
    ]
  },
  "deliveries_of_message": {
    "sql": "select * from deliveries where thread_id = ?1 and message_id = ?2 order by recipient",
    "names": [
      "thread_id",
      "message_id"
    ]
  },
  "deliveries_of_thread": {
    "sql": "select * from deliveries where thread_id = ?1 order by event_id, recipient",
    "names": [
      "thread_id"
    ]
  },
  "messages_sent_by": "select m.message_id, m.thread_id, m.seq, m.from_agent, m.to_agent, m.kind, m.summary,\nsubstr(m.body, 1, 2000) as body,\ncase when length(m.payload_json) <= 4000 then m.payload_json else '{}' end as payload_json,\nm.created_at, m.in_reply_to, m.issue_id, m.agent_id, m.hops, m.imported_by, fitting.candidates\nfrom (\nselect message_id, count(*) over () as candidates,\nsum(size) over (order by created_at desc, message_id desc) - size as ahead\nfrom (\nselect message_id, created_at, octet_length(body) + octet_length(payload_json) as size\nfrom messages\nwhere from_agent = :from_agent and kind <> 'event'\nand (created_at, message_id) < (:before_at, :before_message) -- if :before_at\norder by created_at desc, message_id desc\nlimit :limit\n) sized\n) fitting\ncross join messages m\nwhere m.message_id = fitting.message_id and fitting.ahead < :bytes",
  "messages_said_in": "select m.message_id, m.thread_id, m.seq, m.from_agent, m.to_agent, m.kind, m.summary,\nsubstr(m.body, 1, 2000) as body,\ncase when length(m.payload_json) <= 4000 then m.payload_json else '{}' end as payload_json,\nm.created_at, m.in_reply_to, m.issue_id, m.agent_id, m.hops, m.imported_by, fitting.candidates\nfrom (\nselect message_id, count(*) over () as candidates, sum(size) over (order by seq desc) - size as ahead\nfrom (\nselect message_id, seq, octet_length(body) + octet_length(payload_json) as size\nfrom messages\nwhere thread_id = :thread_id and kind <> 'event'\nand from_agent = :from_agent -- if :from_agent\nand seq < :before_seq -- if :before_seq\norder by seq desc\nlimit :limit\n) sized\n) fitting\ncross join messages m\nwhere m.message_id = fitting.message_id and fitting.ahead < :bytes",
  "delivery_in_thread": {
    "sql": "select 1 as n from deliveries where thread_id = ?1 and recipient = ?2 limit 1",
    "names": [
      "thread_id",
      "recipient"
    ]
  },
  "mailbox_by_time": {
    "sql": "select m.*, coalesce((select max(case when d.state in ('queued', 'presented') and (d.expires_at is null or d.expires_at > ?1) then 4 when d.state in ('read', 'acted') then 3 when d.state = 'bounced' then 2 else 1 end) from deliveries d where d.thread_id = m.thread_id and d.message_id = m.message_id), 0) as furthest, case when m.seq = 1 then (select e.payload_json from events e where e.thread_id = m.thread_id order by e.event_id limit 1) end as facts_json from ( select message_id, sum(size) over (order by created_at, message_id) - size as ahead from ( select m.message_id, m.created_at, octet_length(m.body) + octet_length(m.payload_json) as size from messages m where m.kind <> 'event' and (m.created_at, m.message_id) > (?2, ?3) order by m.created_at, m.message_id limit ?4 ) sized ) fitting cross join messages m where m.message_id = fitting.message_id and fitting.ahead < ?5",
    "names": [
      "now",
      "after_at",
      "after_message",
      "limit",
      "bytes"
    ]
  },
  "mailbox_by_event": {
    "sql": "select m.*, e.event_id, coalesce((select max(case when d.state in ('queued', 'presented') and (d.expires_at is null or d.expires_at > ?1) then 4 when d.state in ('read', 'acted') then 3 when d.state = 'bounced' then 2 else 1 end) from deliveries d where d.thread_id = m.thread_id and d.message_id = m.message_id), 0) as furthest, case when m.seq = 1 then e.payload_json end as facts_json from ( select event_id, sum(size) over (order by event_id) - size as ahead from ( select e.event_id, octet_length(m.body) + octet_length(m.payload_json) + octet_length(e.payload_json) as size from events e join messages m on m.message_id = e.message_id where e.event_id > ?2 and m.kind <> 'event' order by e.event_id limit ?3 ) sized ) fitting cross join events e cross join messages m where e.event_id = fitting.event_id and m.message_id = e.message_id and fitting.ahead < ?4",
    "names": [
      "now",
      "after",
      "limit",
      "bytes"
    ]
  },
  "history_window": "select min(event_id) as event_id from (\nselect event_id from events\nwhere event_id < :before\nand thread_id = :thread_id -- if :thread_id\norder by event_id desc limit :most\n) looked",
  "history_candidates": "select e.event_id, octet_length(m.summary) + octet_length(m.body) + octet_length(m.payload_json) as size\nfrom events e join messages m on m.message_id = e.message_id\nwhere e.event_id < :before and e.event_id >= :bottom\nand e.thread_id = :thread_id -- if :thread_id\nand m.kind <> 'event'\nand m.kind in (:kinds...) -- if :kinds\nand e.event_id > :after -- if :after\nand m.from_agent = :sent_by -- if :sent_by\n-- if :got_by (\nand (m.to_agent = :got_by or exists (\nselect 1 from deliveries d where d.thread_id = m.thread_id and d.recipient = :got_by\nand d.message_id = m.message_id))\n-- )\nand (select p.workspace_id from pushes p where p.thread_id = m.thread_id) = :workspace_id -- if :workspace_id\n-- if :party (\nand (m.from_agent = :party or m.to_agent = :party or exists (\nselect 1 from deliveries d where d.thread_id = m.thread_id and d.recipient = :party\nand d.message_id = m.message_id))\n-- )\n-- if :reader (\nand (m.from_agent = :reader or m.to_agent = :reader or exists (\nselect 1 from deliveries d where d.thread_id = m.thread_id and d.recipient = :reader\nand d.message_id = m.message_id))\n-- )\norder by e.event_id desc",
  "history_messages": "select e.event_id, m.*\nfrom events e join messages m on m.message_id = e.message_id\nwhere e.event_id in (:events...)\nand m.created_at >= :since -- if :since\nand m.created_at <= :until -- if :until\n-- if :part (\nand (instr(lower(m.summary), :part) > 0 or instr(lower(m.body), :part) > 0)\n-- )",
  "history_place": {
    "sql": "select e.event_id from messages m join events e on e.thread_id = m.thread_id and e.message_id = m.message_id where m.message_id = ?1",
    "names": [
      "message_id"
    ]
  },
  "history_kinds": "select m.kind, count(*) as count\nfrom events e join messages m on m.message_id = e.message_id\nwhere e.event_id < :before and e.event_id >= :bottom\nand e.thread_id = :thread_id -- if :thread_id\nand m.kind <> 'event'\nand m.kind in (:kinds...) -- if :kinds\nand e.event_id > :after -- if :after\nand m.from_agent = :sent_by -- if :sent_by\n-- if :got_by (\nand (m.to_agent = :got_by or exists (\nselect 1 from deliveries d where d.thread_id = m.thread_id and d.recipient = :got_by\nand d.message_id = m.message_id))\n-- )\nand (select p.workspace_id from pushes p where p.thread_id = m.thread_id) = :workspace_id -- if :workspace_id\n-- if :party (\nand (m.from_agent = :party or m.to_agent = :party or exists (\nselect 1 from deliveries d where d.thread_id = m.thread_id and d.recipient = :party\nand d.message_id = m.message_id))\n-- )\n-- if :reader (\nand (m.from_agent = :reader or m.to_agent = :reader or exists (\nselect 1 from deliveries d where d.thread_id = m.thread_id and d.recipient = :reader\nand d.message_id = m.message_id))\n-- )\ngroup by m.kind",
  "history_matching": "select m.kind, count(*) as count\nfrom events e join messages m on m.message_id = e.message_id\nwhere e.event_id in (:events...)\nand m.created_at >= :since -- if :since\nand m.created_at <= :until -- if :until\n-- if :part (\nand (instr(lower(m.summary), :part) > 0 or instr(lower(m.body), :part) > 0)\n-- )\ngroup by m.kind",
  "threads_count": {
    "sql": "select status, count(*) as n from threads where kind = 'work' group by status",
    "names": []
  },
  "threads_oldest_pending": {
    "sql": "select * from threads where status = 'pending' and kind = 'work' order by created_at, thread_id limit 1",
    "names": []
  },
  "messages_count": {
    "sql": "select count(*) as n from messages",
    "names": []
  },
  "latest_question": {
    "sql": "select summary, created_at from messages where thread_id = ?1 and kind = 'question' order by seq desc limit 1",
    "names": [
      "thread_id"
    ]
  },
  "events_count": {
    "sql": "select count(*) as n from events",
    "names": []
  },
  "leases_expiring": {
    "sql": "select l.* from leases l cross join threads t where l.released_at is null and t.thread_id = l.thread_id and t.kind = 'work' order by l.expires_at limit ?1",
    "names": [
      "limit"
    ]
  }
}
