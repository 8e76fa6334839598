// Generated from src/store/queries/ by scripts/generate.ts. Do not edit.

import type { Query } from './compile.ts'

export const QUERIES: Record<string, Query> = {
  "agents_seen": "select a.*, s.seen_at, s.waiting_until,\n(select max(l.expires_at) from leases l\nwhere l.agent_id = a.agent_id and l.released_at is null) as leased_until\nfrom agents a left join sightings s on s.agent_id = a.agent_id\nwhere a.agent_id > ''\nand a.agent_id = :agent_id -- if :agent_id\nand a.role = :role -- if :role\nand a.instance = :instance -- if :instance\nand a.parent_agent_id = :parent -- if :parent\nand a.agent_id > :after -- if :after\norder by a.agent_id\nlimit :limit -- if :limit",
  "agent_put": {
    "sql": "insert into agents (agent_id, role, instance, parent_agent_id, paired_person, source, declared_status, declared_at, may_write_to_user, wake_json, registered_at, updated_at) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) on conflict (agent_id) do update set role = excluded.role, instance = excluded.instance, parent_agent_id = excluded.parent_agent_id, paired_person = excluded.paired_person, source = excluded.source, may_write_to_user = excluded.may_write_to_user, wake_json = excluded.wake_json, updated_at = excluded.updated_at",
    "names": [
      "agent_id",
      "role",
      "instance",
      "parent_agent_id",
      "paired_person",
      "source",
      "declared_status",
      "declared_at",
      "may_write_to_user",
      "wake_json",
      "registered_at",
      "updated_at"
    ]
  },
  "agent_declare": {
    "sql": "update agents set declared_status = ?1, declared_at = ?2, updated_at = ?2 where agent_id = ?3",
    "names": [
      "status",
      "at",
      "agent_id"
    ]
  },
  "person_get": {
    "sql": "select * from people where person_id = ?1",
    "names": [
      "person_id"
    ]
  },
  "sighting_put": {
    "sql": "insert into sightings (agent_id, seen_at, waiting_until) values (?1, ?2, ?3) on conflict (agent_id) do update set seen_at = excluded.seen_at, waiting_until = excluded.waiting_until",
    "names": [
      "agent_id",
      "seen_at",
      "waiting_until"
    ]
  },
  "sighting_seen": {
    "sql": "insert into sightings (agent_id, seen_at) values (?1, ?2) on conflict (agent_id) do update set seen_at = excluded.seen_at",
    "names": [
      "agent_id",
      "seen_at"
    ]
  },
  "sighting_call": {
    "sql": "insert into sightings (agent_id, seen_at) select ?1, ?2 where not exists ( select 1 from sightings s left join agents a on a.agent_id = s.agent_id where s.agent_id = ?1 and s.seen_at > ?3 and s.seen_at > coalesce(a.declared_at, '')) on conflict (agent_id) do update set seen_at = excluded.seen_at",
    "names": [
      "agent_id",
      "seen_at",
      "fresh_before"
    ]
  },
  "role_turn_lock": {
    "sql": "insert into role_turns (role, last_agent) values (?1, '') on conflict (role) do update set role = excluded.role returning last_agent",
    "names": [
      "role"
    ]
  },
  "role_turn_put": {
    "sql": "update role_turns set last_agent = ?1 where role = ?2",
    "names": [
      "last_agent",
      "role"
    ]
  },
  "agents_lock": {
    "sql": "select 1 as locked",
    "names": []
  },
  "agents_known": "select a.agent_id, a.declared_status,\n(select w.hops from wakes w where w.agent_id = a.agent_id and w.ended_at is null) as hops\nfrom agents a\nwhere a.agent_id in (:agents...)",
  "wake_running": {
    "sql": "select wake_id, hops from wakes where agent_id = ?1 and ended_at is null",
    "names": [
      "agent_id"
    ]
  },
  "delivery_insert": {
    "sql": "insert into deliveries (recipient, event_id, message_id, thread_id, seq, kind, state, queued_at, expires_at, read_at, read_by) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    "names": [
      "recipient",
      "event_id",
      "message_id",
      "thread_id",
      "seq",
      "kind",
      "state",
      "queued_at",
      "expires_at",
      "read_at",
      "read_by"
    ]
  },
  "deliveries_present": "update deliveries set state = 'presented', presented_at = :at, presented_by = :by\nwhere thread_id = :thread_id and recipient = :recipient and message_id in (:messages...)\nand state = 'queued'",
  "deliveries_read": "update deliveries\nset read_at = case when state in ('queued', 'presented') then :at else read_at end,\nread_by = case when state in ('queued', 'presented') then :by else read_by end,\nstate = case when state in ('queued', 'presented') then 'read' else state end,\nunread_at = null\nwhere thread_id = :thread_id and recipient = :recipient\nand message_id in (:messages...) -- if :messages\nand seq <= :upto -- if :upto\nand (state in ('queued', 'presented') or unread_at is not null)",
  "deliveries_act": "update deliveries\nset acted_at = case when state = 'acted' then acted_at else :at end,\nacted_by = case when state = 'acted' then acted_by else :by end,\nstate = 'acted', unread_at = null\nwhere thread_id = :thread_id and recipient = :recipient\nand (state in ('presented', 'read') or (state = 'acted' and unread_at is not null)\nor (state = 'queued' and message_id in (:messages...)) -- if :messages\nor (state = 'queued' and seq = :seq) -- if :seq\n-- if :question (\nor (state = 'queued' and seq = (\nselect case when max(case when q.state in ('presented', 'read') then 1 else 0 end) = 0\nthen max(q.seq) end\nfrom deliveries q\nwhere q.thread_id = :thread_id and q.recipient = :recipient and q.kind = :question))\n-- )\n)",
  "deliveries_end": "update deliveries set state = :state, ended_at = :at, reason = :reason\nwhere thread_id = :thread_id and recipient = :recipient\nand message_id in (:messages...) -- if :messages\nand state in ('queued', 'presented')",
  "deliveries_take": "delete from deliveries\nwhere thread_id = :thread_id and recipient = :recipient and message_id in (:messages...)\nand state = 'queued'",
  "inbox": "select d.*, m.from_agent, m.to_agent, m.summary, m.body, m.payload_json, m.created_at,\nm.in_reply_to, m.issue_id, m.agent_id, m.hops, m.imported_by\nfrom (\nselect recipient, event_id, message_id, sum(size) over (order by event_id) - size as ahead\nfrom (\nselect d.recipient, d.event_id, d.message_id,\noctet_length(m.body) + octet_length(m.payload_json) as size\nfrom deliveries d join messages m on m.message_id = d.message_id\nwhere d.recipient = :recipient and d.event_id > :after\nand d.state in ('queued', 'presented') -- if :agent\n-- if :person (\nand (d.state in ('queued', 'presented') or d.unread_at is not null)\nand d.event_id in (\nselect event_id from deliveries where recipient = :recipient and state in ('queued', 'presented')\nunion all\nselect event_id from deliveries where recipient = :recipient and unread_at is not null)\nand not exists (\nselect 1 from pushes away where away.thread_id = d.thread_id and away.trashed_at is not null)\n-- )\nand (d.expires_at is null or d.expires_at > :now or d.unread_at is not null) -- if :unread\nand d.kind in (:kinds...) -- if :kinds\n-- if :since (\nand ((d.queued_at > :since and d.event_id > :got) or d.state = 'queued')\n-- )\norder by d.event_id\nlimit :limit\n) sized\n) fitting\ncross join deliveries d cross join messages m\nwhere d.recipient = fitting.recipient and d.event_id = fitting.event_id\nand m.message_id = fitting.message_id and fitting.ahead < :bytes",
  "inbox_anchor": {
    "sql": "select event_id from deliveries where recipient = ?1 and queued_at >= ?2 and event_id > coalesce(( select event_id from deliveries where recipient = ?1 and queued_at < ?3 order by event_id desc limit 1), 0) order by event_id limit 1",
    "names": [
      "recipient",
      "since",
      "before"
    ]
  },
  "inbox_got": {
    "sql": "select max(d.event_id) as event_id from messages m join deliveries d on d.thread_id = m.thread_id and d.recipient = ?1 and d.message_id = m.message_id where m.created_at = ?2 and m.kind <> 'event'",
    "names": [
      "recipient",
      "since"
    ]
  },
  "inbox_count": "select (select count(*) from deliveries\nwhere recipient = :recipient and state in ('queued', 'presented'))\n- (select count(*) from deliveries\nwhere recipient = :recipient and state in ('queued', 'presented')\nand expires_at is not null and expires_at <= :now)\n-- if :person (\n+ (select count(*) from deliveries where recipient = :recipient and unread_at is not null)\n- (select count(*) from pushes p cross join deliveries d\nwhere p.trashed_at is not null and d.thread_id = p.thread_id and d.recipient = :recipient\nand (d.state in ('queued', 'presented') or d.unread_at is not null) and (d.expires_at is null or d.expires_at > :now or d.unread_at is not null))\n-- )\nas n",
  "inbox_places": "select d.event_id, d.message_id, d.thread_id, d.state, d.expires_at from deliveries d\nwhere d.recipient = :recipient and d.event_id between :first and :last\nand d.state in ('queued', 'presented') -- if :agent\n-- if :person (\nand (d.state in ('queued', 'presented') or d.unread_at is not null)\nand d.event_id in (\nselect event_id from deliveries where recipient = :recipient and state in ('queued', 'presented')\nunion all\nselect event_id from deliveries where recipient = :recipient and unread_at is not null)\nand not exists (\nselect 1 from pushes away where away.thread_id = d.thread_id and away.trashed_at is not null)\n-- )\norder by d.event_id",
  "inbox_control": {
    "sql": "select d.*, m.from_agent, m.to_agent, m.summary, m.body, m.payload_json, m.created_at, m.in_reply_to, m.issue_id, m.agent_id, m.hops, m.imported_by from deliveries d join messages m on m.message_id = d.message_id where d.recipient = ?1 and d.kind = 'control' and d.state in ('queued', 'presented') and m.imported_by is null and (d.expires_at is null or d.expires_at > ?2) order by d.event_id limit 1",
    "names": [
      "recipient",
      "now"
    ]
  },
  "inbox_named": "select m.message_id, m.thread_id, d.state\nfrom messages m left join deliveries d\non d.thread_id = m.thread_id and d.recipient = :recipient and d.message_id = m.message_id\nwhere m.message_id in (:messages...)",
  "inbox_left": "select d.event_id, d.message_id, d.thread_id, d.state, d.expires_at from deliveries d\nwhere d.recipient = :recipient and d.thread_id in (:threads...) and (d.state in ('queued', 'presented') or d.unread_at is not null)",
  "inbox_heads": "select d.*, m.from_agent, m.summary, m.hops\nfrom deliveries d join messages m on m.message_id = d.message_id\nwhere d.recipient = :recipient and d.state in ('queued', 'presented') and d.event_id > :after\nand (d.expires_at is null or d.expires_at > :now)\nand m.from_agent <> :not_from -- if :not_from\norder by d.event_id\nlimit :limit",
  "event_insert": {
    "sql": "insert into events (run_id, task_id, thread_id, source, event_type, agent, status, message_id, summary, payload_json, created_at) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    "names": [
      "run_id",
      "task_id",
      "thread_id",
      "source",
      "event_type",
      "agent",
      "status",
      "message_id",
      "summary",
      "payload_json",
      "created_at"
    ]
  },
  "event_last": {
    "sql": "select coalesce(max(event_id), 0) as event_id from (select max(event_id) as event_id from events union all select cast(value as bigint) from settings where name = 'event_floor') ends",
    "names": []
  },
  "log_standing": {
    "sql": "select coalesce(max(event_id), 0) as event_id, ?1 as now from (select max(event_id) as event_id from events union all select cast(value as bigint) from settings where name = 'event_floor') ends",
    "names": [
      "now"
    ]
  },
  "reply_after": "select e.event_id, m.*,\n(select count(*) from artifacts a where a.message_id = m.message_id) as artifact_count\nfrom events e join messages m on m.message_id = e.message_id\nwhere e.thread_id = :thread_id and e.event_id > :after\nand m.from_agent <> :not_from and m.kind in (:kinds...)\norder by e.event_id\nlimit 1",
  "event_of_message": {
    "sql": "select event_id from events where thread_id = ?1 and message_id = ?2",
    "names": [
      "thread_id",
      "message_id"
    ]
  },
  "event_last_own": {
    "sql": "select coalesce(max(e.event_id), 0) as event_id from events e join messages m on m.message_id = e.message_id where e.thread_id = ?1 and m.from_agent = ?2",
    "names": [
      "thread_id",
      "agent"
    ]
  },
  "event_claimed_by": {
    "sql": "select 1 as found from events where thread_id = ?1 and event_type = 'thread_claim' and agent = ?2 limit 1",
    "names": [
      "thread_id",
      "agent"
    ]
  },
  "key_get": {
    "sql": "select * from idempotency_keys where agent = ?1 and idempotency_key = ?2",
    "names": [
      "agent",
      "idempotency_key"
    ]
  },
  "key_insert": {
    "sql": "insert into idempotency_keys (agent, idempotency_key, request_hash, response_json, event_id, created_at) values (?1, ?2, ?3, ?4, ?5, ?6)",
    "names": [
      "agent",
      "idempotency_key",
      "request_hash",
      "response_json",
      "event_id",
      "created_at"
    ]
  },
  "setting_get": {
    "sql": "select value from settings where name = ?1",
    "names": [
      "name"
    ]
  },
  "lease_get": {
    "sql": "select * from leases where thread_id = ?1",
    "names": [
      "thread_id"
    ]
  },
  "lease_put": {
    "sql": "insert into leases (thread_id, agent_id, lease_token, generation, lease_seconds, claimed_at, expires_at, released_at) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) on conflict (thread_id) do update set agent_id = excluded.agent_id, lease_token = excluded.lease_token, generation = excluded.generation, lease_seconds = excluded.lease_seconds, claimed_at = excluded.claimed_at, expires_at = excluded.expires_at, released_at = excluded.released_at",
    "names": [
      "thread_id",
      "agent_id",
      "lease_token",
      "generation",
      "lease_seconds",
      "claimed_at",
      "expires_at",
      "released_at"
    ]
  },
  "message_insert": {
    "sql": "insert into messages (message_id, thread_id, seq, from_agent, to_agent, kind, summary, body, payload_json, created_at, in_reply_to, issue_id, agent_id, hops, imported_by) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
    "names": [
      "message_id",
      "thread_id",
      "seq",
      "from_agent",
      "to_agent",
      "kind",
      "summary",
      "body",
      "payload_json",
      "created_at",
      "in_reply_to",
      "issue_id",
      "agent_id",
      "hops",
      "imported_by"
    ]
  },
  "message_get": {
    "sql": "select * from messages where message_id = ?1",
    "names": [
      "message_id"
    ]
  },
  "message_asking": {
    "sql": "select * from messages where thread_id = ?1 and kind <> 'event' order by seq limit 1",
    "names": [
      "thread_id"
    ]
  },
  "artifacts_asking": {
    "sql": "select * from artifacts where message_id = (select message_id from messages where thread_id = ?1 and kind <> 'event' order by seq limit 1) order by artifact_id",
    "names": [
      "thread_id"
    ]
  },
  "messages_of_thread": {
    "sql": "select m.* from ( select message_id, sum(size) over (order by seq) - size as ahead from ( select m.message_id, m.seq, octet_length(m.body) + octet_length(m.payload_json) + coalesce((select sum(octet_length(a.path) + octet_length(a.metadata_json)) from artifacts a where a.message_id = m.message_id), 0) as size from messages m where m.thread_id = ?1 and m.seq > ?2 order by m.seq limit ?3 ) sized ) fitting cross join messages m where m.message_id = fitting.message_id and fitting.ahead < ?4",
    "names": [
      "thread_id",
      "after",
      "limit",
      "bytes"
    ]
  },
  "messages_by": {
    "sql": "select 1 as n from messages where thread_id = ?1 and from_agent = ?2 limit 1",
    "names": [
      "thread_id",
      "from_agent"
    ]
  },
  "artifact_insert": {
    "sql": "insert into artifacts (artifact_id, message_id, path, kind, metadata_json, created_at) values (?1, ?2, ?3, ?4, ?5, ?6)",
    "names": [
      "artifact_id",
      "message_id",
      "path",
      "kind",
      "metadata_json",
      "created_at"
    ]
  },
  "artifacts_of_message": {
    "sql": "select * from artifacts where message_id = ?1 order by artifact_id",
    "names": [
      "message_id"
    ]
  },
  "artifacts_of_thread": {
    "sql": "select a.* from messages m join artifacts a on a.message_id = m.message_id where m.thread_id = ?1 and m.seq > ?2 and m.seq <= ?3 order by m.seq, a.artifact_id",
    "names": [
      "thread_id",
      "after",
      "upto"
    ]
  },
  "read_mark_get": {
    "sql": "select * from thread_reads where thread_id = ?1 and agent_id = ?2",
    "names": [
      "thread_id",
      "agent"
    ]
  },
  "read_mark_put": {
    "sql": "insert into thread_reads (thread_id, agent_id, last_read_message_id, last_read_seq, last_read_at) values (?1, ?2, ?3, ?4, ?5) on conflict (thread_id, agent_id) do update set last_read_message_id = excluded.last_read_message_id, last_read_seq = excluded.last_read_seq, last_read_at = excluded.last_read_at",
    "names": [
      "thread_id",
      "agent_id",
      "last_read_message_id",
      "last_read_seq",
      "last_read_at"
    ]
  },
  "thread_lock": {
    "sql": "select * from threads where thread_id = ?1",
    "names": [
      "thread_id"
    ]
  },
  "thread_get": {
    "sql": "select t.*, l.agent_id, l.lease_token, l.generation, l.lease_seconds, l.claimed_at, l.expires_at, l.released_at from threads t left join leases l on l.thread_id = t.thread_id where t.thread_id = ?1",
    "names": [
      "thread_id"
    ]
  },
  "thread_standing": {
    "sql": "select t.*, l.agent_id, l.lease_token, l.generation, l.lease_seconds, l.claimed_at, l.expires_at, l.released_at, ends.log_end, ?1 as now from (select coalesce(max(event_id), 0) as log_end from (select max(event_id) as event_id from events union all select cast(value as bigint) from settings where name = 'event_floor') two) ends left join threads t on t.thread_id = ?2 left join leases l on l.thread_id = t.thread_id",
    "names": [
      "now",
      "thread_id"
    ]
  },
  "thread_insert": {
    "sql": "insert into threads (thread_id, run_id, task_id, subject, created_by, assigned_to, status, priority, priority_rank, latest_message_id, message_count, created_at, updated_at, kind) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    "names": [
      "thread_id",
      "run_id",
      "task_id",
      "subject",
      "created_by",
      "assigned_to",
      "status",
      "priority",
      "priority_rank",
      "latest_message_id",
      "message_count",
      "created_at",
      "updated_at",
      "kind"
    ]
  },
  "thread_update": {
    "sql": "update threads set assigned_to = ?1, status = ?2, latest_message_id = ?3, message_count = ?4, updated_at = ?5 where thread_id = ?6",
    "names": [
      "assigned_to",
      "status",
      "latest_message_id",
      "message_count",
      "updated_at",
      "thread_id"
    ]
  },
  "thread_lock_pending": {
    "sql": "select * from threads where status = 'pending' and assigned_to = ?1 order by priority_rank, created_at, thread_id limit 1",
    "names": [
      "agent"
    ]
  },
  "thread_next_of_role": {
    "sql": "select * from threads where status = 'pending' and created_by <> ?1 and assigned_to = (select 'role:' || role from agents where agent_id = ?1) order by priority_rank, created_at, thread_id limit 1",
    "names": [
      "agent"
    ]
  },
  "thread_lock_role": {
    "sql": "select * from threads where status = 'pending' and assigned_to = ?1 and created_by <> ?2 order by priority_rank, created_at, thread_id limit 1",
    "names": [
      "role",
      "agent"
    ]
  },
  "thread_lock_lapsed_of": {
    "sql": "select t.* from ( select thread_id from leases where agent_id = ?1 and released_at is null and expires_at <= ?2 order by expires_at limit 100 ) l join threads t on t.thread_id = l.thread_id order by t.priority_rank, t.created_at, t.thread_id limit 1",
    "names": [
      "agent",
      "now"
    ]
  },
  "threads_list": "select * from (\n-- each :statuses (\nselect * from (\nselect * from threads\nwhere status = :statuses.each\nand assigned_to = :assigned_to -- if :assigned_to\nand created_by = :created_by -- if :created_by\nand (updated_at, thread_id) < (:before_at, :before_thread) -- if :before_at\norder by updated_at desc, thread_id desc\nlimit :limit\n) part\n-- )\n) parts\norder by updated_at desc, thread_id desc\nlimit :limit",
  "threads_fetch_pending": "select t.*, l.agent_id, l.lease_token, l.generation, l.lease_seconds, l.claimed_at,\nl.expires_at, l.released_at\nfrom threads t left join leases l on l.thread_id = t.thread_id\nwhere t.status = 'pending' and t.assigned_to = :agent\n-- if :unread (\nand exists (select 1 from deliveries d\nwhere d.thread_id = t.thread_id and d.recipient = :agent\nand d.state in ('queued', 'presented'))\n-- )\norder by t.priority_rank, t.created_at, t.thread_id\nlimit :limit",
  "threads_fetch_role": "select t.*, l.agent_id, l.lease_token, l.generation, l.lease_seconds, l.claimed_at,\nl.expires_at, l.released_at\nfrom threads t left join leases l on l.thread_id = t.thread_id\nwhere t.status = 'pending' and t.created_by <> :agent\nand t.assigned_to = (select 'role:' || role from agents where agent_id = :agent)\n-- if :unread (\nand exists (select 1 from deliveries d\nwhere d.thread_id = t.thread_id and d.recipient in (:agent, t.assigned_to)\nand d.state in ('queued', 'presented'))\n-- )\norder by t.priority_rank, t.created_at, t.thread_id\nlimit :limit",
  "threads_fetch_lapsed": "select t.*, l.agent_id, l.lease_token, l.generation, l.lease_seconds, l.claimed_at,\nl.expires_at, l.released_at\nfrom (\nselect * from leases\nwhere agent_id = :agent and released_at is null and expires_at <= :now\norder by expires_at limit 500\n) l join threads t on t.thread_id = l.thread_id\n-- if :unread (\nwhere exists (select 1 from deliveries d\nwhere d.thread_id = t.thread_id and d.recipient = :agent\nand d.state in ('queued', 'presented'))\n-- )\norder by t.priority_rank, t.created_at, t.thread_id\nlimit :limit",
  "threads_fetch_status": "select t.*, l.agent_id, l.lease_token, l.generation, l.lease_seconds, l.claimed_at,\nl.expires_at, l.released_at\nfrom threads t left join leases l on l.thread_id = t.thread_id\nwhere t.status = :status and t.assigned_to = :agent\n-- if :unread (\nand exists (select 1 from deliveries d\nwhere d.thread_id = t.thread_id and d.recipient = :agent\nand d.state in ('queued', 'presented'))\n-- )\norder by t.priority_rank, t.created_at, t.thread_id\nlimit :limit"
}
