// Generated from src/store/queries/ by scripts/generate.ts. Do not edit.

import type { Query } from './compile.ts'

export const QUERIES: Record<string, Query> = {
  "event_insert": {
    "sql": "insert into events (run_id, task_id, thread_id, source, event_type, agent, status, message_id,\n                    summary, payload_json, created_at)\nvalues ($1, $2, $3, $4, $5, $6, $7, $8,\n        $9, $10, $11)",
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
    "sql": "\nselect coalesce(max(event_id), 0) as event_id\nfrom (select max(event_id) as event_id from events\n      union all\n      select cast(value as bigint) from settings where name = 'event_floor') ends",
    "names": []
  },
  "change_sign": {
    "sql": "\nselect max(event_id) as event_id, (select value from settings where name = 'clock') as clock\nfrom events",
    "names": []
  },
  "events_after": "select e.* from events e\n  join threads t on t.thread_id = e.thread_id -- if :agent\nwhere e.event_id > :after\n  and e.event_type not in (:without...) -- if :without\n  and e.status in (:statuses...) -- if :statuses\n  and (t.assigned_to = :agent or t.created_by = :agent) and e.agent <> :agent -- if :agent\norder by e.event_id\nlimit :limit",
  "reply_after": "select e.* from events e join messages m on m.message_id = e.message_id\nwhere e.thread_id = :thread_id and e.event_id > :after\n  and m.from_agent <> :not_from and m.kind in (:kinds...)\norder by e.event_id\nlimit 1",
  "event_of_message": {
    "sql": "select event_id from events where thread_id = $1 and message_id = $2",
    "names": [
      "thread_id",
      "message_id"
    ]
  },
  "event_last_own": {
    "sql": "select coalesce(max(e.event_id), 0) as event_id\nfrom events e join messages m on m.message_id = e.message_id\nwhere e.thread_id = $1 and m.from_agent = $2",
    "names": [
      "thread_id",
      "agent"
    ]
  },
  "event_claimed_by": {
    "sql": "select 1 as found from events\nwhere thread_id = $1 and event_type = 'thread_claim' and agent = $2\nlimit 1",
    "names": [
      "thread_id",
      "agent"
    ]
  },
  "events_count": {
    "sql": "select count(*) as n from events",
    "names": []
  },
  "events_last_of_thread": {
    "sql": "select coalesce(max(event_id), 0) as event_id, count(*) as n from events where thread_id = $1",
    "names": [
      "thread_id"
    ]
  },
  "events_delete": {
    "sql": "delete from events where thread_id = $1",
    "names": [
      "thread_id"
    ]
  },
  "key_get": {
    "sql": "select * from idempotency_keys where agent = $1 and idempotency_key = $2",
    "names": [
      "agent",
      "idempotency_key"
    ]
  },
  "key_insert": {
    "sql": "insert into idempotency_keys (agent, idempotency_key, request_hash, response_json, event_id,\n                              created_at)\nvalues ($1, $2, $3, $4, $5, $6)",
    "names": [
      "agent",
      "idempotency_key",
      "request_hash",
      "response_json",
      "event_id",
      "created_at"
    ]
  },
  "keys_count": {
    "sql": "select count(*) as n from idempotency_keys where created_at < $1",
    "names": [
      "before"
    ]
  },
  "keys_delete": {
    "sql": "delete from idempotency_keys where created_at < $1",
    "names": [
      "before"
    ]
  },
  "setting_get": {
    "sql": "select value from settings where name = $1",
    "names": [
      "name"
    ]
  },
  "setting_put": {
    "sql": "insert into settings (name, value) values ($1, $2)\non conflict (name) do update set value = excluded.value",
    "names": [
      "name",
      "value"
    ]
  },
  "event_insert_at": {
    "sql": "insert into events (event_id, run_id, task_id, thread_id, source, event_type, agent, status,\n                    message_id, summary, payload_json, created_at)\nvalues ($1, $2, $3, $4, $5, $6, $7, $8,\n        $9, $10, $11, $12)",
    "names": [
      "event_id",
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
  "setting_delete": {
    "sql": "delete from settings where name = $1",
    "names": [
      "name"
    ]
  },
  "setting_put_new": {
    "sql": "insert into settings (name, value) values ($1, $2) on conflict (name) do nothing",
    "names": [
      "name",
      "value"
    ]
  },
  "log_events": {
    "sql": "select * from events where event_id > $1 order by event_id limit $2",
    "names": [
      "after",
      "limit"
    ]
  },
  "log_messages": {
    "sql": "select m.* from events e join messages m on m.message_id = e.message_id\nwhere e.event_id > $1 and e.event_id <= $2",
    "names": [
      "after",
      "upto"
    ]
  },
  "log_artifacts": {
    "sql": "select a.* from events e join artifacts a on a.message_id = e.message_id\nwhere e.event_id > $1 and e.event_id <= $2\norder by a.artifact_id",
    "names": [
      "after",
      "upto"
    ]
  },
  "threads_page": {
    "sql": "select * from threads where thread_id > $1 order by thread_id limit $2",
    "names": [
      "after",
      "limit"
    ]
  },
  "leases_page": {
    "sql": "select * from leases where thread_id > $1 order by thread_id limit $2",
    "names": [
      "after",
      "limit"
    ]
  },
  "reads_page": {
    "sql": "select * from thread_reads\nwhere (thread_id, agent_id) > ($1, $2)\norder by thread_id, agent_id limit $3",
    "names": [
      "after_thread",
      "after_agent",
      "limit"
    ]
  },
  "lease_get": {
    "sql": "select * from leases where thread_id = $1",
    "names": [
      "thread_id"
    ]
  },
  "lease_put": {
    "sql": "insert into leases (thread_id, agent_id, lease_token, generation, lease_seconds, claimed_at,\n                    expires_at, released_at)\nvalues ($1, $2, $3, $4, $5, $6,\n        $7, $8)\non conflict (thread_id) do update\nset agent_id = excluded.agent_id, lease_token = excluded.lease_token,\n    generation = excluded.generation, lease_seconds = excluded.lease_seconds,\n    claimed_at = excluded.claimed_at, expires_at = excluded.expires_at,\n    released_at = excluded.released_at",
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
  "lease_next_expiry": {
    "sql": "select min(expires_at) as expires_at from leases where released_at is null",
    "names": []
  },
  "leases_expiring": {
    "sql": "select * from leases where released_at is null order by expires_at limit $1",
    "names": [
      "limit"
    ]
  },
  "lease_delete": {
    "sql": "delete from leases where thread_id = $1",
    "names": [
      "thread_id"
    ]
  },
  "message_insert": {
    "sql": "insert into messages (message_id, thread_id, seq, from_agent, to_agent, kind, summary, body,\n                      payload_json, created_at)\nvalues ($1, $2, $3, $4, $5, $6, $7, $8,\n        $9, $10)",
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
      "created_at"
    ]
  },
  "message_get": {
    "sql": "select * from messages where message_id = $1",
    "names": [
      "message_id"
    ]
  },
  "message_asking": {
    "sql": "select * from messages where thread_id = $1 and kind <> 'event' order by seq limit 1",
    "names": [
      "thread_id"
    ]
  },
  "artifacts_asking": {
    "sql": "select * from artifacts\nwhere message_id = (select message_id from messages\n  where thread_id = $1 and kind <> 'event' order by seq limit 1)\norder by artifact_id",
    "names": [
      "thread_id"
    ]
  },
  "messages_of_thread": {
    "sql": "select * from messages where thread_id = $1 order by seq",
    "names": [
      "thread_id"
    ]
  },
  "messages_count": {
    "sql": "select count(*) as n from messages",
    "names": []
  },
  "messages_delete": {
    "sql": "delete from messages where thread_id = $1",
    "names": [
      "thread_id"
    ]
  },
  "artifact_insert": {
    "sql": "insert into artifacts (artifact_id, message_id, path, kind, metadata_json, created_at)\nvalues ($1, $2, $3, $4, $5, $6)",
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
    "sql": "select * from artifacts where message_id = $1 order by artifact_id",
    "names": [
      "message_id"
    ]
  },
  "artifacts_of_thread": {
    "sql": "select a.* from messages m join artifacts a on a.message_id = m.message_id\nwhere m.thread_id = $1\norder by m.seq, a.artifact_id",
    "names": [
      "thread_id"
    ]
  },
  "artifacts_delete": {
    "sql": "delete from artifacts\nwhere message_id in (select message_id from messages where thread_id = $1)",
    "names": [
      "thread_id"
    ]
  },
  "read_mark_get": {
    "sql": "select * from thread_reads where thread_id = $1 and agent_id = $2",
    "names": [
      "thread_id",
      "agent"
    ]
  },
  "read_mark_put": {
    "sql": "insert into thread_reads (thread_id, agent_id, last_read_message_id, last_read_seq, last_read_at)\nvalues ($1, $2, $3, $4, $5)\non conflict (thread_id, agent_id) do update\nset last_read_message_id = excluded.last_read_message_id,\n    last_read_seq = excluded.last_read_seq, last_read_at = excluded.last_read_at",
    "names": [
      "thread_id",
      "agent_id",
      "last_read_message_id",
      "last_read_seq",
      "last_read_at"
    ]
  },
  "read_marks_delete": {
    "sql": "delete from thread_reads where thread_id = $1",
    "names": [
      "thread_id"
    ]
  },
  "latest_question": {
    "sql": "select * from messages where thread_id = $1 and kind = 'question'\norder by seq desc limit 1",
    "names": [
      "thread_id"
    ]
  },
  "thread_lock": {
    "sql": "select * from threads where thread_id = $1  for update ",
    "names": [
      "thread_id"
    ]
  },
  "thread_get": {
    "sql": "select * from threads where thread_id = $1",
    "names": [
      "thread_id"
    ]
  },
  "thread_insert": {
    "sql": "insert into threads (thread_id, run_id, task_id, subject, created_by, assigned_to, status, priority,\n                     priority_rank, latest_message_id, message_count, created_at, updated_at)\nvalues ($1, $2, $3, $4, $5, $6, $7, $8,\n        $9, $10, $11, $12, $13)",
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
      "updated_at"
    ]
  },
  "thread_update": {
    "sql": "update threads\nset assigned_to = $1, status = $2, latest_message_id = $3,\n    message_count = $4, updated_at = $5\nwhere thread_id = $6",
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
    "sql": "select * from threads\nwhere status = 'pending' and assigned_to = $1\norder by priority_rank, created_at, thread_id\nlimit 1  for update skip locked ",
    "names": [
      "agent"
    ]
  },
  "thread_lock_lapsed_of": {
    "sql": "select t.* from (\n    \n    select thread_id from leases\n    where agent_id = $1 and released_at is null and expires_at <= (select store_now())\n    order by expires_at limit 100\n  ) l join threads t on t.thread_id = l.thread_id\norder by t.priority_rank, t.created_at, t.thread_id\nlimit 1  for update of t skip locked ",
    "names": [
      "agent"
    ]
  },
  "threads_lock_lapsed": {
    "sql": "select t.* from leases l join threads t on t.thread_id = l.thread_id\nwhere l.released_at is null and l.expires_at <= (select store_now())\norder by l.expires_at\nlimit $1  for update of t skip locked ",
    "names": [
      "limit"
    ]
  },
  "threads_list": "-- Status by status, so that every part is one walk along one index and stops at the limit; an\n-- `in (…)` over statuses would have to sort everything it matches.\nselect * from (\n  -- each :statuses (\n  select * from (\n    select * from threads\n    where status = :statuses.each\n      and assigned_to = :assigned_to -- if :assigned_to\n      and created_by = :created_by -- if :created_by\n    order by updated_at desc, thread_id desc\n    limit :limit\n  ) part\n  -- )\n) parts\norder by updated_at desc, thread_id desc\nlimit :limit",
  "threads_fetch_pending": "select t.*, l.agent_id, l.lease_token, l.generation, l.lease_seconds, l.claimed_at,\n       l.expires_at, l.released_at\nfrom threads t left join leases l on l.thread_id = t.thread_id\nwhere t.status = 'pending' and t.assigned_to = :agent\n  -- if :unread (\n  and exists (select 1 from messages m\n    where m.thread_id = t.thread_id and m.from_agent <> :agent and m.kind <> 'event'\n      and m.seq > coalesce((select r.last_read_seq from thread_reads r\n        where r.thread_id = t.thread_id and r.agent_id = :agent), 0))\n  -- )\norder by t.priority_rank, t.created_at, t.thread_id\nlimit :limit",
  "threads_fetch_lapsed": "select t.*, l.agent_id, l.lease_token, l.generation, l.lease_seconds, l.claimed_at,\n       l.expires_at, l.released_at\nfrom (\n    select * from leases\n    where agent_id = :agent and released_at is null and expires_at <= :now\n    order by expires_at limit 500\n  ) l join threads t on t.thread_id = l.thread_id\n  -- if :unread (\n  where exists (select 1 from messages m\n    where m.thread_id = t.thread_id and m.from_agent <> :agent and m.kind <> 'event'\n      and m.seq > coalesce((select r.last_read_seq from thread_reads r\n        where r.thread_id = t.thread_id and r.agent_id = :agent), 0))\n  -- )\norder by t.priority_rank, t.created_at, t.thread_id\nlimit :limit",
  "threads_fetch_status": "select t.*, l.agent_id, l.lease_token, l.generation, l.lease_seconds, l.claimed_at,\n       l.expires_at, l.released_at\nfrom threads t left join leases l on l.thread_id = t.thread_id\nwhere t.status = :status and t.assigned_to = :agent\n  -- if :unread (\n  and exists (select 1 from messages m\n    where m.thread_id = t.thread_id and m.from_agent <> :agent and m.kind <> 'event'\n      and m.seq > coalesce((select r.last_read_seq from thread_reads r\n        where r.thread_id = t.thread_id and r.agent_id = :agent), 0))\n  -- )\norder by t.priority_rank, t.created_at, t.thread_id\nlimit :limit",
  "threads_count": {
    "sql": "select status, count(*) as n from threads group by status",
    "names": []
  },
  "threads_oldest_pending": {
    "sql": "select * from threads where status = 'pending' order by created_at, thread_id limit 1",
    "names": []
  },
  "threads_prunable": "select t.* from threads t\nwhere status = :status and updated_at < :before\n  -- if :read_only (\n  and not exists (select 1 from messages m\n    where m.thread_id = t.thread_id and m.kind <> 'event' and m.to_agent <> m.from_agent\n      and m.seq > coalesce((select r.last_read_seq from thread_reads r\n        where r.thread_id = t.thread_id and r.agent_id = m.to_agent), 0)\n      and not exists (select 1 from messages own\n        where own.thread_id = t.thread_id and own.from_agent = m.to_agent and own.seq > m.seq))\n  -- )\norder by updated_at, thread_id\nlimit :limit",
  "thread_delete": {
    "sql": "delete from threads where thread_id = $1",
    "names": [
      "thread_id"
    ]
  }
}
