// Generated from the queries in src/store by scripts/generate.ts. Do not edit.

import type { Query } from '../compile.ts'

export const QUERIES: Record<string, Query> = {
  "agents_seen": "select a.*, s.seen_at, s.waiting_until,\n(select max(l.expires_at) from leases l\nwhere l.agent_id = a.agent_id and l.released_at is null) as leased_until,\n(select max(t.began_at) from turns t where t.agent_id = a.agent_id) as turn_at\nfrom agents a left join sightings s on s.agent_id = a.agent_id\nwhere a.agent_id > ''\nand a.agent_id = :agent_id -- if :agent_id\nand a.agent_id = (select t.created_by from threads t where t.thread_id = :creator_of) -- if :creator_of\nand a.role = :role -- if :role\nand a.instance = :instance -- if :instance\nand a.parent_agent_id = :parent -- if :parent\nand a.agent_id > :after -- if :after\norder by a.agent_id\nlimit :limit -- if :limit",
  "agents_unseen": {
    "sql": "select 1 as n from agents a where a.declared_status is null and a.wake_json = '{}' and a.role = '' and not exists (select 1 from sightings s where s.agent_id = a.agent_id) limit ?1",
    "names": [
      "limit"
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
    "sql": "insert into sightings (agent_id, seen_at) select ?1, ?2 where not exists ( select 1 from sightings s left join agents a on a.agent_id = s.agent_id where s.agent_id = ?1 and s.seen_at > ?3 and s.seen_at <= ?2 and s.seen_at > coalesce(a.declared_at, '')) on conflict (agent_id) do update set seen_at = excluded.seen_at",
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
  "records_lock": {
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
  "agents_unread": {
    "sql": "select recipient as agent_id, cast(sum(n) as bigint) as n from ( select recipient, count(*) as n from deliveries where state in ('queued', 'presented') and recipient between ?1 and ?2 group by recipient union all select recipient, -count(*) as n from deliveries where state in ('queued', 'presented') and expires_at is not null and expires_at <= ?3 and recipient between ?1 and ?2 group by recipient ) counted group by recipient",
    "names": [
      "first",
      "last",
      "now"
    ]
  },
  "agents_said": {
    "sql": "select m.from_agent as agent_id, m.message_id, m.thread_id, m.summary, substr(m.body, 1, 2000) as body, m.created_at, t.kind as thread_kind, t.created_by as thread_by from agents a join messages m on m.message_id = ( select s.message_id from messages s where s.from_agent = a.agent_id and s.kind = 'progress' order by s.created_at desc, s.message_id desc limit 1) join threads t on t.thread_id = m.thread_id where a.agent_id between ?1 and ?2",
    "names": [
      "first",
      "last"
    ]
  },
  "desk_forget": {
    "sql": "delete from desk_rows where thread_id = ?1",
    "names": [
      "thread_id"
    ]
  },
  "desk_empty": {
    "sql": "delete from desk_rows",
    "names": []
  },
  "desk_fill": "insert into desk_rows (person, thread_id, event_id, at, unread, is_unread, is_notification, workspace_id, created_by, needs, wanted_by, wakes_at, is_woken) -- if :writes\nselect f.person, f.thread_id, f.event_id, f.at, f.unread, case when f.unread > 0 then 1 else 0 end as is_unread,\nf.is_notification, f.workspace_id, f.created_by, f.needs,\nf.wanted_by,\ncase when f.wakes_at <= :now and f.unread = 0 then '' else f.wakes_at end as wakes_at, f.is_woken\nfrom (\nselect d.recipient as person, d.thread_id, d.event_id, d.queued_at as at,\n(select count(*) from deliveries u\nwhere u.thread_id = d.thread_id and u.recipient = d.recipient and (u.state in ('queued', 'presented') or u.unread_at is not null)) as unread,\ncase when p.form = 'notification' then 1 else 0 end as is_notification,\ncoalesce(p.workspace_id, '') as workspace_id, t.created_by,\ncase\nwhen q.status = 'pending' and q.held_by is null and (\n(q.policy = 'named' and instr(',' || q.deciders || ',', ',' || d.recipient || ',') > 0)\nor q.policy = 'human_only' or (q.policy <> 'named' and q.requester <> d.recipient)\n) then 'request'\nwhen t.kind = 'work' and t.status = 'blocked' and exists (\nselect 1 from deliveries o\nwhere o.thread_id = d.thread_id and o.recipient = d.recipient and o.kind = 'question'\n) then 'question'\nwhen t.kind = 'mail' and exists (\nselect 1 from deliveries o\nwhere o.thread_id = d.thread_id and o.recipient = d.recipient and o.kind = 'question'\nand o.state in ('queued', 'presented', 'read')\nand not exists (select 1 from messages a\nwhere a.thread_id = o.thread_id and a.seq > o.seq and a.in_reply_to = o.message_id)\n) then 'question'\nelse '' end as needs,\ncoalesce(q.expires_at, '9999') as wanted_by,\ncase when s.snooze_id is not null and s.ended_at is null and d.seq <= s.upto\nthen coalesce(s.until, '9999') else '' end as wakes_at,\ncase when s.snooze_id is not null and s.ended_at is null and d.seq > s.upto and exists (\nselect 1 from deliveries b\nwhere b.thread_id = d.thread_id and b.recipient = d.recipient and (b.state in ('queued', 'presented') or b.unread_at is not null)\nand case when coalesce(s.until, '9999') > (\nselect min(n.queued_at) from deliveries n\nwhere n.thread_id = d.thread_id and n.recipient = d.recipient and n.seq > s.upto)\nthen b.seq = (select min(n.seq) from deliveries n\nwhere n.thread_id = d.thread_id and n.recipient = d.recipient and n.seq > s.upto)\nelse b.seq <= s.upto end\n) then 1 else 0 end as is_woken\nfrom (\nselect l.recipient, max(l.event_id) as event_id from deliveries l\nwhere (l.recipient = 'user' or substr(l.recipient, 1, 5) = 'user:')\nand l.thread_id = :thread_id -- if :thread_id\nand l.thread_id > :after -- if :after\nand l.thread_id <= :upto -- if :upto\ngroup by l.thread_id, l.recipient\n) latest\ncross join deliveries d cross join threads t\nleft join pushes p on p.thread_id = d.thread_id\nleft join requests q on q.thread_id = d.thread_id\nleft join snoozes s on s.snooze_id = d.recipient || '/' || d.thread_id\nwhere d.recipient = latest.recipient and d.event_id = latest.event_id\nand t.thread_id = d.thread_id\nand (p.thread_id is null or (p.trashed_at is null and p.deleted_at is null))\n) f",
  "desk_rows_page": "select * from desk_rows\nwhere thread_id > :after\nand thread_id <= :upto -- if :upto",
  "snoozes_prunable": "select s.snooze_id as row_key, s.events from snoozes s\nwhere (s.ended_at < :before\nor (s.snoozed_at < :before and not exists (select 1 from threads t where t.thread_id = s.thread_id)))\nand s.snooze_id in (:keys...) -- if :keys\norder by s.snooze_id\nlimit :limit",
  "workspaces_all": {
    "sql": "select * from workspaces order by added_at, workspace_id",
    "names": []
  },
  "token_get": {
    "sql": "select * from tokens where token_id = ?1",
    "names": [
      "token_id"
    ]
  },
  "code_get": {
    "sql": "select * from tokens where issued_at >= ?1 and kind = 'code' and hash = ?2",
    "names": [
      "since",
      "hash"
    ]
  },
  "token_standing": {
    "sql": "select kind, expires_at, revoked_at, ?1 as now from tokens where token_id = ?2",
    "names": [
      "now",
      "token_id"
    ]
  },
  "token_must_be_good": {
    "sql": "select 1 / count(*) as good from tokens where token_id = ?1 and revoked_at is null and coalesce(expires_at, '9999') > ?2",
    "names": [
      "token_id",
      "now"
    ]
  },
  "tokens_list": "select * from tokens\nwhere kind in (:kinds...)\nand principal_name = :principal -- if :principal\nand workspace_id = :workspace -- if :workspace\nand revoked_at is null and coalesce(expires_at, '9999') > :good_at -- if :good_at\norder by issued_at desc, token_id desc\nlimit :limit",
  "token_keep_hash": {
    "sql": "update tokens set hash = ?1 where token_id = ?2",
    "names": [
      "hash",
      "token_id"
    ]
  },
  "token_keep_page_hash": {
    "sql": "update tokens set page_hash = ?1 where token_id = ?2",
    "names": [
      "page_hash",
      "token_id"
    ]
  },
  "sighting_token": {
    "sql": "update tokens set last_used_at = ?1 where token_id = ?2 and last_used_at < ?1",
    "names": [
      "at",
      "token_id"
    ]
  },
  "tokens_prunable": "select token_id as row_key, case when revoked_at is null then 1 else 2 end as events from tokens\nwhere coalesce(revoked_at, expires_at, '9999') < :before\nand token_id in (:keys...) -- if :keys\norder by token_id\nlimit :limit",
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
  "deliveries_act_on": "update deliveries\nset acted_at = case when state = 'acted' then acted_at else :at end,\nacted_by = case when state = 'acted' then acted_by else :by end,\nstate = 'acted', unread_at = null\nwhere thread_id = :thread_id and recipient = :recipient and message_id in (:messages...)\nand (state in ('queued', 'presented', 'read') or (state = 'acted' and unread_at is not null))",
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
  "inbox_has_control": {
    "sql": "select 1 as n from deliveries where recipient = ?1 and kind = 'control' and state in ('queued', 'presented') limit 1",
    "names": [
      "recipient"
    ]
  },
  "inbox_stop": "select * from (\n-- each :states (\nselect * from (\nselect d.*, m.from_agent, m.to_agent, m.summary, m.body, m.payload_json, m.created_at,\nm.in_reply_to, m.issue_id, m.agent_id, m.hops, m.imported_by,\ncase when t.kind = 'work' then 'thread'\nwhen r.thread_id is not null then 'agent_run' else 'agent' end as about\nfrom deliveries d join messages m on m.message_id = d.message_id\njoin threads t on t.thread_id = d.thread_id\nleft join requests r on r.thread_id = d.thread_id and r.decision_message = d.message_id\nwhere d.recipient = :recipient and d.kind = 'control' and d.state in ('queued', 'presented')\nand d.state = :states.each\nand m.imported_by is null\nand (d.expires_at is null or d.expires_at > :now)\nand (t.kind <> 'work'\nor (t.thread_id = :thread_id and t.status = 'cancelled' and t.assigned_to = d.recipient\nand t.latest_message_id = d.message_id))\norder by d.event_id\nlimit 1\n) part\n-- )\n) parts\norder by case when state = 'queued' then 0 else 1 end\nlimit 1",
  "inbox_named": "select m.message_id, m.thread_id, d.state\nfrom messages m left join deliveries d\non d.thread_id = m.thread_id and d.recipient = :recipient and d.message_id = m.message_id\nwhere m.message_id in (:messages...)",
  "inbox_left": "select d.event_id, d.message_id, d.thread_id, d.state, d.expires_at from deliveries d\nwhere d.recipient = :recipient and d.thread_id in (:threads...) and (d.state in ('queued', 'presented') or d.unread_at is not null)",
  "inbox_heads": "select d.*, m.from_agent, m.summary, m.hops\nfrom deliveries d join messages m on m.message_id = d.message_id\nwhere d.recipient = :recipient and d.state in ('queued', 'presented') and d.event_id > :after\nand (d.expires_at is null or d.expires_at > :now)\nand m.from_agent <> :not_from -- if :not_from\norder by d.event_id\nlimit :limit",
  "deliveries_expiring": {
    "sql": "select * from deliveries where expires_at is not null and state in ('queued', 'presented') and expires_at <= ?1 order by expires_at limit ?2",
    "names": [
      "now",
      "limit"
    ]
  },
  "lease_next_expiry": {
    "sql": "select l.expires_at from leases l cross join threads t where l.released_at is null and t.thread_id = l.thread_id and t.kind = 'work' order by l.expires_at limit 1",
    "names": []
  },
  "delivery_next_expiry": {
    "sql": "select expires_at from deliveries where expires_at is not null and state in ('queued', 'presented') order by expires_at limit 1",
    "names": []
  },
  "agents_off_with_mail": {
    "sql": "select a.agent_id from agents a where a.agent_id > '' and a.declared_status = 'off' and exists (select 1 from deliveries d where d.recipient = a.agent_id and d.state in ('queued', 'presented')) order by a.agent_id limit ?1",
    "names": [
      "limit"
    ]
  },
  "threads_lock_lapsed": {
    "sql": "select t.* from leases l join threads t on t.thread_id = l.thread_id where l.released_at is null and l.expires_at <= ?1 and t.kind = 'work' order by l.expires_at limit ?2",
    "names": [
      "now",
      "limit"
    ]
  },
  "setting_put": {
    "sql": "insert into settings (name, value) values (?1, ?2) on conflict (name) do update set value = excluded.value",
    "names": [
      "name",
      "value"
    ]
  },
  "event_insert_at": {
    "sql": "insert into events (event_id, run_id, task_id, thread_id, source, event_type, agent, status, message_id, summary, payload_json, created_at) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
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
  "setting_put_new": {
    "sql": "insert into settings (name, value) values (?1, ?2) on conflict (name) do nothing",
    "names": [
      "name",
      "value"
    ]
  },
  "setting_delete": {
    "sql": "delete from settings where name = ?1",
    "names": [
      "name"
    ]
  },
  "deliveries_delete": {
    "sql": "delete from deliveries where thread_id = ?1",
    "names": [
      "thread_id"
    ]
  },
  "events_delete": {
    "sql": "delete from events where thread_id = ?1",
    "names": [
      "thread_id"
    ]
  },
  "keys_delete": {
    "sql": "delete from idempotency_keys where created_at < ?1",
    "names": [
      "before"
    ]
  },
  "lease_delete": {
    "sql": "delete from leases where thread_id = ?1",
    "names": [
      "thread_id"
    ]
  },
  "messages_delete": {
    "sql": "delete from messages where thread_id = ?1",
    "names": [
      "thread_id"
    ]
  },
  "artifacts_delete": {
    "sql": "delete from artifacts where message_id in (select message_id from messages where thread_id = ?1)",
    "names": [
      "thread_id"
    ]
  },
  "read_marks_delete": {
    "sql": "delete from thread_reads where thread_id = ?1",
    "names": [
      "thread_id"
    ]
  },
  "event_delete": {
    "sql": "delete from events where event_id = ?1",
    "names": [
      "event_id"
    ]
  },
  "thread_delete": {
    "sql": "delete from threads where thread_id = ?1",
    "names": [
      "thread_id"
    ]
  },
  "deliveries_keep_unread": "update deliveries set unread_at = coalesce(unread_at, :at)\nwhere thread_id = :thread_id and recipient = :recipient and message_id in (:messages...)\nand state in ('read', 'acted')",
  "deliveries_remove": {
    "sql": "delete from deliveries where thread_id = ?1 and recipient = ?2",
    "names": [
      "thread_id",
      "recipient"
    ]
  },
  "sighting_turn": {
    "sql": "insert into turns (agent_id, session, backend, folder, began_at) values (?1, ?2, ?3, ?4, ?5) on conflict (agent_id, session) do update set backend = excluded.backend, folder = excluded.folder, began_at = excluded.began_at",
    "names": [
      "agent_id",
      "session",
      "backend",
      "folder",
      "began_at"
    ]
  },
  "sighting_turn_over": {
    "sql": "delete from turns where agent_id = ?1 and (session = ?2 or began_at < ?3)",
    "names": [
      "agent_id",
      "session",
      "before"
    ]
  },
  "effect_keep": {
    "sql": "update effects set expires_at = ?1 where thread_id = ?2 and state = 'running'",
    "names": [
      "expires_at",
      "thread_id"
    ]
  },
  "requirements_all": "select * from requirements\nwhere removed_at is null\nand applies_to in (:holders...) -- if :holders\norder by applies_to, requires, requirement_id",
  "erase_thread": {
    "sql": "update threads set subject = '' where thread_id = ?1",
    "names": [
      "thread_id"
    ]
  },
  "erase_messages": {
    "sql": "update messages set kind = 'event', summary = '', body = '', payload_json = '{}', issue_id = null, agent_id = null where thread_id = ?1",
    "names": [
      "thread_id"
    ]
  },
  "erase_events": {
    "sql": "update events set summary = '' where thread_id = ?1",
    "names": [
      "thread_id"
    ]
  },
  "erase_keys": {
    "sql": "delete from idempotency_keys where response_json like ?1",
    "names": [
      "named"
    ]
  },
  "trim_messages": {
    "sql": "update messages set body = '', payload_json = '{}' where thread_id = ?1",
    "names": [
      "thread_id"
    ]
  },
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
  "change_sign": {
    "sql": "select max(event_id) as event_id, (select value from settings where name = 'clock') as clock from events",
    "names": []
  },
  "events_after": "select e.*\nfrom (\nselect event_id, sum(size) over (order by event_id) - size as ahead\nfrom (\nselect e.event_id, octet_length(e.payload_json) as size from events e\njoin threads t on t.thread_id = e.thread_id -- if :agent\nleft join threads o on o.thread_id = e.thread_id -- if :party\nwhere e.event_id > :after\nand e.event_type not in (:without...) -- if :without\nand e.status in (:statuses...) and exists (select 1 from threads w where w.thread_id = e.thread_id and w.kind = 'work') -- if :statuses\n-- if :agent (\nand (t.assigned_to = :agent or t.created_by = :agent\nor (t.status = 'pending' and t.kind = 'work'\nand t.assigned_to = (select 'role:' || role from agents where agent_id = :agent)))\nand e.agent <> :agent\n-- )\nand e.agent <> :party -- if :party\nand not exists (select 1 from pushes p where p.thread_id = e.thread_id and p.workspace_id <> :pushes_from) -- if :pushes_from\nand (o.assigned_to = :party or o.created_by = :party or exists (select 1 from deliveries d where d.recipient = :party and d.event_id = e.event_id)) -- if :party\norder by e.event_id\nlimit :limit\n) sized\n) fitting\ncross join events e\nwhere e.event_id = fitting.event_id and fitting.ahead < :bytes",
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
  "question_open": {
    "sql": "select q.message_id, q.from_agent from messages q join threads t on t.thread_id = q.thread_id where q.thread_id = ?1 and q.kind = 'question' and q.from_agent <> ?2 and not exists (select 1 from messages a where a.thread_id = q.thread_id and a.seq > q.seq and a.kind = 'answer' and a.from_agent <> q.from_agent and (a.in_reply_to = q.message_id or a.in_reply_to is null)) order by exists (select 1 from deliveries d where d.thread_id = q.thread_id and d.recipient = ?2 and d.message_id = q.message_id and d.state in ('presented', 'read')) desc, q.from_agent = t.assigned_to desc, q.seq desc limit 1",
    "names": [
      "thread_id",
      "by"
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
    "sql": "select * from threads where status = 'pending' and assigned_to = ?1 and kind = 'work' order by priority_rank, created_at, thread_id limit 1",
    "names": [
      "agent"
    ]
  },
  "thread_next_of_role": {
    "sql": "select * from threads where status = 'pending' and created_by <> ?1 and kind = 'work' and assigned_to = (select 'role:' || role from agents where agent_id = ?1) order by priority_rank, created_at, thread_id limit 1",
    "names": [
      "agent"
    ]
  },
  "thread_lock_role": {
    "sql": "select * from threads where status = 'pending' and assigned_to = ?1 and created_by <> ?2 and kind = 'work' order by priority_rank, created_at, thread_id limit 1",
    "names": [
      "role",
      "agent"
    ]
  },
  "thread_lock_lapsed_of": {
    "sql": "select t.* from ( select thread_id from leases where agent_id = ?1 and released_at is null and expires_at <= ?2 order by expires_at limit 100 ) l join threads t on t.thread_id = l.thread_id and t.kind = 'work' order by t.priority_rank, t.created_at, t.thread_id limit 1",
    "names": [
      "agent",
      "now"
    ]
  },
  "thread_passed_over": {
    "sql": "select thread_id from ( select thread_id from ( select thread_id from threads where status = 'pending' and assigned_to = ?1 and kind = 'work' limit 1 ) own union all select thread_id from ( select thread_id from threads where status = 'pending' and created_by <> ?1 and kind = 'work' and assigned_to = (select 'role:' || role from agents where agent_id = ?1) limit 1 ) of_role union all select t.thread_id from ( select thread_id from leases where agent_id = ?1 and released_at is null and expires_at <= ?2 order by expires_at limit 100 ) l join threads t on t.thread_id = l.thread_id and t.kind = 'work' ) any_of_them limit 1",
    "names": [
      "agent",
      "now"
    ]
  },
  "threads_list": "select * from (\n-- each :statuses (\nselect * from (\nselect * from threads\nwhere status = :statuses.each and kind = 'work'\nand assigned_to = :assigned_to -- if :assigned_to\nand created_by = :created_by -- if :created_by\nand (updated_at, thread_id) < (:before_at, :before_thread) -- if :before_at\norder by updated_at desc, thread_id desc\nlimit :limit\n) part\n-- )\n) parts\norder by updated_at desc, thread_id desc\nlimit :limit",
  "threads_list_oldest": "select * from (\n-- each :statuses (\nselect * from (\nselect * from threads\nwhere status = :statuses.each and kind = 'work'\nand assigned_to = :assigned_to -- if :assigned_to\nand created_by = :created_by -- if :created_by\nand (updated_at, thread_id) > (:before_at, :before_thread) -- if :before_at\norder by updated_at, thread_id\nlimit :limit\n) part\n-- )\n) parts\norder by updated_at, thread_id\nlimit :limit",
  "threads_tally": "-- each :statuses (\nselect :statuses.each as status, (\nselect count(*) from (\nselect 1 as one from threads\nwhere status = :statuses.each and kind = 'work'\nand assigned_to = :assigned_to -- if :assigned_to\nand created_by = :created_by -- if :created_by\nand created_by <> :not_by -- if :not_by\nlimit :most\n) counted\n) as n\n-- )",
  "threads_beside": "select t.thread_id, l.agent_id, l.lease_token, l.generation, l.lease_seconds, l.claimed_at,\nl.expires_at, l.released_at, q.message_id, q.from_agent, q.summary, q.created_at\nfrom threads t\nleft join leases l on l.thread_id = t.thread_id\nleft join messages q on t.status = 'blocked' and q.message_id = (\nselect m.message_id from messages m\nwhere m.thread_id = t.thread_id and m.kind = 'question'\norder by m.seq desc limit 1)\nwhere t.thread_id in (:threads...)",
  "threads_fetch_pending": "select t.*, l.agent_id, l.lease_token, l.generation, l.lease_seconds, l.claimed_at,\nl.expires_at, l.released_at\nfrom threads t left join leases l on l.thread_id = t.thread_id\nwhere t.status = 'pending' and t.assigned_to = :agent and t.kind = 'work'\n-- if :unread (\nand exists (select 1 from deliveries d\nwhere d.thread_id = t.thread_id and d.recipient = :agent\nand d.state in ('queued', 'presented'))\n-- )\norder by t.priority_rank, t.created_at, t.thread_id\nlimit :limit",
  "threads_fetch_role": "select t.*, l.agent_id, l.lease_token, l.generation, l.lease_seconds, l.claimed_at,\nl.expires_at, l.released_at\nfrom threads t left join leases l on l.thread_id = t.thread_id\nwhere t.status = 'pending' and t.created_by <> :agent and t.kind = 'work'\nand t.assigned_to = (select 'role:' || role from agents where agent_id = :agent)\n-- if :unread (\nand exists (select 1 from deliveries d\nwhere d.thread_id = t.thread_id and d.recipient in (:agent, t.assigned_to)\nand d.state in ('queued', 'presented'))\n-- )\norder by t.priority_rank, t.created_at, t.thread_id\nlimit :limit",
  "threads_fetch_lapsed": "select t.*, l.agent_id, l.lease_token, l.generation, l.lease_seconds, l.claimed_at,\nl.expires_at, l.released_at\nfrom (\nselect * from leases\nwhere agent_id = :agent and released_at is null and expires_at <= :now\norder by expires_at limit 500\n) l join threads t on t.thread_id = l.thread_id and t.kind = 'work'\n-- if :unread (\nwhere exists (select 1 from deliveries d\nwhere d.thread_id = t.thread_id and d.recipient = :agent\nand d.state in ('queued', 'presented'))\n-- )\norder by t.priority_rank, t.created_at, t.thread_id\nlimit :limit",
  "threads_fetch_status": "select t.*, l.agent_id, l.lease_token, l.generation, l.lease_seconds, l.claimed_at,\nl.expires_at, l.released_at\nfrom threads t left join leases l on l.thread_id = t.thread_id\nwhere t.status = :status and t.assigned_to = :agent and t.kind = 'work'\n-- if :unread (\nand exists (select 1 from deliveries d\nwhere d.thread_id = t.thread_id and d.recipient = :agent\nand d.state in ('queued', 'presented'))\n-- )\norder by t.priority_rank, t.created_at, t.thread_id\nlimit :limit",
  "wake_keep": {
    "sql": "update wakes set state = 'running', expires_at = ?1 where wake_id = ?2 and coalesce(ended_at, '') = ''",
    "names": [
      "expires_at",
      "wake_id"
    ]
  },
  "instance_keep": {
    "sql": "update instances set token = ?1, expires_at = ?2, pid = ?3, log = ?4, socket = ?5, url = ?6 where instance = ?7",
    "names": [
      "token",
      "expires_at",
      "pid",
      "log",
      "socket",
      "url",
      "instance"
    ]
  }
}
