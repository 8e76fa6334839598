// Generated from the queries in src/store by scripts/generate-code.ts. Do not edit.

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
  "log_events": {
    "sql": "select e.* from ( select event_id, sum(size) over (order by event_id) - size as ahead from ( select e.event_id, octet_length(e.payload_json) + coalesce(octet_length(m.body) + octet_length(m.payload_json), 0) + coalesce((select sum(octet_length(a.path) + octet_length(a.metadata_json)) from artifacts a where a.message_id = m.message_id), 0) as size from events e left join messages m on m.message_id = e.message_id where e.event_id > ?1 order by e.event_id limit ?2 ) sized ) fitting cross join events e where e.event_id = fitting.event_id and fitting.ahead < ?3",
    "names": [
      "after",
      "limit",
      "bytes"
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
  "mail_waiting": {
    "sql": "select d.recipient, count(*) as n, min(d.queued_at) as since from deliveries d join threads t on t.thread_id = d.thread_id where d.state = 'queued' and d.queued_at < ?1 and t.kind = 'mail' group by d.recipient order by d.recipient",
    "names": [
      "before"
    ]
  },
  "event_after_moment": {
    "sql": "select e.* from events e where (select created_at from events order by event_id desc limit 1) > ?1 and e.created_at > ?1 order by e.event_id limit 1",
    "names": [
      "moment"
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
  "threads_prunable": "select t.* from threads t\nwhere kind = :kind and status = :status and updated_at < :before\n-- if :read_only (\nand not exists (select 1 from deliveries d\nwhere d.thread_id = t.thread_id and d.state in ('queued', 'presented'))\n-- )\norder by updated_at, thread_id\nlimit :limit",
  "mail_totals": {
    "sql": "select (select cast(coalesce(sum(message_count), 0) as bigint) from threads where kind = 'mail') as messages, (select count(*) from threads where kind = 'mail' and updated_at < ?1) as old, (select count(distinct d.message_id) from deliveries d join threads t on t.thread_id = d.thread_id where d.state in ('queued', 'presented') and t.kind = 'mail') as unread",
    "names": [
      "before"
    ]
  },
  "work_young": "select count(*) as n from threads\nwhere kind = 'work' and status in (:statuses...) and updated_at >= :before",
  "work_unread": "select d.recipient, d.thread_id\nfrom deliveries d join threads t on t.thread_id = d.thread_id\nwhere d.state in ('queued', 'presented')\nand t.kind = 'work' and t.status in (:statuses...) and t.updated_at < :before\nlimit :limit",
  "pushes_kept_shown": {
    "sql": "select count(*) as n from pushes where trashed_at is null and deleted_at is null and created_at < ?1",
    "names": [
      "before"
    ]
  },
  "deliveries_delete": {
    "sql": "delete from deliveries where thread_id = ?1",
    "names": [
      "thread_id"
    ]
  },
  "events_last_of_thread": {
    "sql": "select coalesce(max(event_id), 0) as event_id, count(*) as n, coalesce(max(created_at), '') as at from events where thread_id = ?1",
    "names": [
      "thread_id"
    ]
  },
  "event_last_before": {
    "sql": "select event_id from events where created_at < ?1 order by event_id desc limit 1",
    "names": [
      "before"
    ]
  },
  "events_delete": {
    "sql": "delete from events where thread_id = ?1",
    "names": [
      "thread_id"
    ]
  },
  "keys_count": {
    "sql": "select count(*) as n from idempotency_keys where created_at < ?1",
    "names": [
      "before"
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
  "mail_prunable": "select t.thread_id, t.message_count, t.updated_at,\ncoalesce((select max(coalesce(d.acted_at, d.read_at, d.ended_at, d.queued_at))\nfrom deliveries d where d.thread_id = t.thread_id), t.updated_at) as handled_at\nfrom threads t\nwhere t.kind = 'mail'\nand t.thread_id = :thread_id -- if :thread_id\nand not exists (select 1 from deliveries d\nwhere d.thread_id = t.thread_id and d.state in ('queued', 'presented'))\nand not exists (select 1 from messages q join deliveries d on d.message_id = q.message_id\nwhere q.thread_id = t.thread_id and d.thread_id = t.thread_id and q.kind = 'question'\nand d.state = 'read' and d.read_by <> 'import'\nand not exists (select 1 from messages a where a.thread_id = t.thread_id\nand a.in_reply_to = q.message_id and a.from_agent <> q.from_agent))\nand not exists (select 1 from messages m join sightings s on s.agent_id = m.from_agent\nwhere m.thread_id = t.thread_id and s.waiting_until > :now)\norder by t.updated_at, t.thread_id\nlimit :limit",
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
  "record_events_old": "select event_id, event_type, created_at, payload_json from events\nwhere thread_id = '' and event_id > :after and created_at < :before and event_type in (:types...)\norder by event_id\nlimit :limit",
  "pushes_list": "select p.*, fitting.event_id, m.message_id, m.from_agent, m.summary, m.body, m.payload_json, m.imported_by,\nt.message_count, t.status,\n(select count(*) from deliveries r\nwhere r.thread_id = p.thread_id and r.recipient = :reader\nand (r.state in ('queued', 'presented') or r.unread_at is not null)) as unread\nfrom (\nselect thread_id, event_id, message_id,\nsum(size) over (order by created_at desc, event_id desc) - size as ahead\nfrom (\nselect p.thread_id, p.created_at, d.event_id, m.message_id,\noctet_length(m.body) + octet_length(m.payload_json)\n+ coalesce((select sum(octet_length(a.path) + octet_length(a.metadata_json))\nfrom artifacts a where a.message_id = m.message_id), 0) as size\nfrom pushes p cross join threads t cross join deliveries d cross join messages m\nwhere t.thread_id = p.thread_id\nand d.thread_id = p.thread_id and d.recipient = 'user' and d.seq = 1\nand m.thread_id = p.thread_id and m.seq = 1\nand p.deleted_at is null\nand p.thread_id = :thread_id -- if :thread_id\nand p.trashed_at is null -- if :open\nand p.trashed_at is not null -- if :trashed\nand p.workspace_id = :workspace_id -- if :workspace_id\nand p.form = :form -- if :form\nand m.from_agent = :from_agent -- if :from_agent\n-- if :unread_only (\nand exists (select 1 from deliveries r\nwhere r.thread_id = p.thread_id and r.recipient = :reader\nand (r.state in ('queued', 'presented') or r.unread_at is not null))\n-- )\n-- if :before_at (\nand p.created_at <= :before_at and (p.created_at < :before_at or d.event_id < :before_event)\n-- )\norder by p.created_at desc, d.event_id desc\nlimit :limit\n) sized\n) fitting\ncross join pushes p cross join threads t cross join messages m\nwhere p.thread_id = fitting.thread_id and t.thread_id = fitting.thread_id\nand m.message_id = fitting.message_id and fitting.ahead < :bytes",
  "push_place": {
    "sql": "select p.created_at, d.event_id from pushes p left join deliveries d on d.thread_id = p.thread_id and d.recipient = 'user' and d.seq = 1 where p.thread_id = ?1",
    "names": [
      "thread_id"
    ]
  },
  "pushes_artifacts": "select a.* from artifacts a where a.message_id in (:messages...)",
  "pushes_unread": "select count(distinct p.thread_id) as n\nfrom deliveries r join pushes p on p.thread_id = r.thread_id\nwhere r.recipient = :recipient and (r.state in ('queued', 'presented') or r.unread_at is not null)\nand r.event_id in (\nselect event_id from deliveries where recipient = :recipient and state in ('queued', 'presented')\nunion all\nselect event_id from deliveries where recipient = :recipient and unread_at is not null)\nand not exists (\nselect 1 from pushes away where away.thread_id = r.thread_id and away.trashed_at is not null) and p.deleted_at is null\nand p.form = :form -- if :form\nand p.workspace_id = :workspace_id -- if :workspace_id",
  "pushes_trashed": "select count(*) as n from pushes p\nwhere p.trashed_at is not null and p.deleted_at is null\nand p.workspace_id = :workspace_id -- if :workspace_id\n-- if :from_agent (\nand exists (select 1 from messages m\nwhere m.thread_id = p.thread_id and m.seq = 1 and m.from_agent = :from_agent)\n-- )",
  "entries_page": {
    "sql": "select e.event_id, e.event_type, p.*, m.message_id, m.from_agent, m.body, m.payload_json from ( select event_id, sum(size) over (order by event_id) - size as ahead from ( select e.event_id, octet_length(m.body) + octet_length(m.payload_json) + coalesce((select sum(octet_length(a.path) + octet_length(a.metadata_json)) from artifacts a where a.message_id = m.message_id), 0) as size from events e join pushes p on p.thread_id = e.thread_id join messages m on m.thread_id = e.thread_id and m.seq = 1 where e.event_id > ?1 and e.event_type in ('push_send', 'push_delete') order by e.event_id limit ?2 ) sized ) fitting cross join events e cross join pushes p cross join messages m where e.event_id = fitting.event_id and p.thread_id = e.thread_id and m.thread_id = e.thread_id and m.seq = 1 and fitting.ahead < ?3",
    "names": [
      "after",
      "limit",
      "bytes"
    ]
  },
  "people_all": {
    "sql": "select person_id from people order by person_id",
    "names": []
  },
  "deliveries_keep_unread": "update deliveries set unread_at = coalesce(unread_at, :at)\nwhere thread_id = :thread_id and recipient = :recipient and message_id in (:messages...)\nand state in ('read', 'acted')",
  "deliveries_remove": {
    "sql": "delete from deliveries where thread_id = ?1 and recipient = ?2",
    "names": [
      "thread_id",
      "recipient"
    ]
  },
  "pushes_prunable": "select t.* from pushes p join threads t on t.thread_id = p.thread_id\nwhere coalesce(p.deleted_at, p.trashed_at) < :before\nand (p.trashed_at is not null or p.deleted_at is not null)\nand p.thread_id = :thread_id -- if :thread_id\nand not exists (select 1 from deliveries d\nwhere d.thread_id = p.thread_id\nand (d.state in ('queued', 'presented') or d.unread_at is not null))\norder by coalesce(p.deleted_at, p.trashed_at), p.thread_id\nlimit :limit",
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
  "turns_of": {
    "sql": "select session, backend, folder, began_at from turns where agent_id = ?1",
    "names": [
      "agent_id"
    ]
  },
  "agent_run_lock": {
    "sql": "select * from agent_runs where agent_run_id = ?1",
    "names": [
      "agent_run_id"
    ]
  },
  "agent_run_open": {
    "sql": "select * from agent_runs where agent_id = ?1 and folder = ?2 and status in ('running', 'paused') order by began_at desc, agent_run_id desc limit 1",
    "names": [
      "agent_id",
      "folder"
    ]
  },
  "agent_run_place": {
    "sql": "select began_at from agent_runs where agent_run_id = ?1",
    "names": [
      "agent_run_id"
    ]
  },
  "agent_runs_list": "select a.*, coalesce(m.body, '') as response_markdown\nfrom agent_runs a left join messages m on m.message_id = a.response_message\nwhere a.began_at > ''\nand a.agent_id = :agent_id -- if :agent_id\nand a.status = :status -- if :status\nand a.agent_run_id = :agent_run_id -- if :agent_run_id\n-- if :before_at (\nand a.began_at <= :before_at and (a.began_at < :before_at or a.agent_run_id < :before_id)\n-- )\norder by a.began_at desc, a.agent_run_id desc\nlimit :limit",
  "agent_runs_unasked": {
    "sql": "select a.* from agent_runs a where a.status = 'paused' and not exists ( select 1 from requests r where r.thread_id = a.request_id and r.is_open = 1) order by a.began_at, a.agent_run_id limit ?1",
    "names": [
      "limit"
    ]
  },
  "request_of_review": {
    "sql": "select * from requests where requester = ?1 and review_id = ?2 and review_id <> ''",
    "names": [
      "requester",
      "review_id"
    ]
  },
  "requests_list": "select r.*, m.summary as title, m.imported_by\nfrom requests r cross join messages m\nwhere m.message_id = r.revision_message\nand r.is_open = :is_open\nand r.status = :status -- if :status\nand r.request_type = :request_type -- if :request_type\nand r.requester = :requester -- if :requester\nand r.recipient = :recipient and r.recipient <> '' -- if :recipient\nand r.entity_type = :entity_type and r.entity_type <> '' -- if :entity_type\nand r.entity_id = :entity_id -- if :entity_id\nand r.risk = :risk -- if :risk\nand instr(lower(m.summary), :part) > 0 -- if :part\nand instr(',' || r.links || ',', ',' || :linked || ',') > 0 -- if :linked\n-- if :before_at (\nand r.created_at <= :before_at and (r.created_at < :before_at or r.thread_id < :before_id)\n-- )\n-- if :bottom_at (\nand r.created_at >= :bottom_at and (r.created_at > :bottom_at or r.thread_id >= :bottom_id)\n-- )\norder by r.created_at desc, r.thread_id desc\nlimit :limit",
  "requests_soonest": "select r.created_at, r.thread_id from requests r\nwhere r.is_open = 1\nand r.status = :status -- if :status\nand r.request_type = :request_type -- if :request_type\nand r.requester = :requester -- if :requester\nand r.recipient = :recipient and r.recipient <> '' -- if :recipient\nand r.entity_type = :entity_type and r.entity_type <> '' -- if :entity_type\nand r.entity_id = :entity_id -- if :entity_id\nand r.risk = :risk -- if :risk\nand coalesce(r.expires_at, '~') > :over_expiry -- if :over_expiry\norder by coalesce(r.expires_at, '~'), r.created_at, r.thread_id\nlimit :limit",
  "requests_soonest_same": "select r.created_at, r.thread_id from requests r\nwhere r.is_open = 1 and coalesce(r.expires_at, '~') = :expiry\nand r.status = :status -- if :status\nand r.request_type = :request_type -- if :request_type\nand r.requester = :requester -- if :requester\nand r.recipient = :recipient and r.recipient <> '' -- if :recipient\nand r.entity_type = :entity_type and r.entity_type <> '' -- if :entity_type\nand r.entity_id = :entity_id -- if :entity_id\nand r.risk = :risk -- if :risk\nand (r.created_at, r.thread_id) > (:after_at, :after_id)\norder by r.created_at, r.thread_id\nlimit :limit",
  "requests_soonest_found": "select r.*, m.summary as title, m.imported_by\nfrom requests r cross join messages m\nwhere m.message_id = r.revision_message\nand r.thread_id in (:places...)\nand instr(lower(m.summary), :part) > 0 -- if :part\nand instr(',' || r.links || ',', ',' || :linked || ',') > 0 -- if :linked\norder by coalesce(r.expires_at, '~'), r.created_at, r.thread_id\nlimit :limit",
  "requests_of_payload": {
    "sql": "select * from requests where payload_sha256 = ?1 and requester = ?2 order by created_at desc, thread_id desc limit 50",
    "names": [
      "payload_sha256",
      "requester"
    ]
  },
  "requests_bottom": "select r.created_at, r.thread_id from requests r\nwhere r.is_open = :is_open\nand r.status = :status -- if :status\nand r.request_type = :request_type -- if :request_type\nand r.requester = :requester -- if :requester\nand r.recipient = :recipient and r.recipient <> '' -- if :recipient\nand r.entity_type = :entity_type and r.entity_type <> '' -- if :entity_type\nand r.entity_id = :entity_id -- if :entity_id\nand r.risk = :risk -- if :risk\n-- if :before_at (\nand r.created_at <= :before_at and (r.created_at < :before_at or r.thread_id < :before_id)\n-- )\norder by r.created_at desc, r.thread_id desc\nlimit 1 offset :beyond",
  "request_place": {
    "sql": "select created_at, thread_id, expires_at from requests where thread_id = ?1",
    "names": [
      "thread_id"
    ]
  },
  "requests_counts": "with recursive types (is_open, request_type, n) as (\nselect t.is_open, (\nselect r.request_type from requests r\nwhere r.is_open = t.is_open\nand r.requester = :requester -- if :requester\nand r.recipient = :recipient and r.recipient <> '' -- if :recipient\nand r.entity_type = :entity_type and r.entity_type <> '' -- if :entity_type\nand r.entity_id = :entity_id -- if :entity_id\norder by r.request_type limit 1\n), 1\nfrom (select 0 as is_open union all select 1) t\nunion all\nselect t.is_open, (\nselect r.request_type from requests r\nwhere r.is_open = t.is_open and r.request_type > t.request_type\nand r.requester = :requester -- if :requester\nand r.recipient = :recipient and r.recipient <> '' -- if :recipient\nand r.entity_type = :entity_type and r.entity_type <> '' -- if :entity_type\nand r.entity_id = :entity_id -- if :entity_id\norder by r.request_type limit 1\n), t.n + 1\nfrom types t\nwhere t.request_type is not null and t.n < :most_types\n)\nselect t.is_open, t.request_type, (\nselect count(*) from (\nselect 1 as one from requests r\nwhere r.is_open = t.is_open and r.request_type = t.request_type\nand r.requester = :requester -- if :requester\nand r.recipient = :recipient and r.recipient <> '' -- if :recipient\nand r.entity_type = :entity_type and r.entity_type <> '' -- if :entity_type\nand r.entity_id = :entity_id -- if :entity_id\nlimit :most\n) counted\n) as n\nfrom types t\nwhere t.request_type is not null",
  "requests_counts_narrowed": "select newest.is_open, newest.request_type, count(*) as looked, sum(case when 1 = 1\nand instr(lower((select m.summary from messages m where m.message_id = newest.revision_message)), :part) > 0 -- if :part\nand instr(',' || newest.links || ',', ',' || :linked || ',') > 0 -- if :linked\nthen 1 else 0 end) as n\nfrom (\n-- each :tabs (\nselect * from (\nselect r.is_open, r.request_type, r.revision_message, r.links from requests r\nwhere r.is_open = :tabs.each\nand r.requester = :requester -- if :requester\nand r.recipient = :recipient and r.recipient <> '' -- if :recipient\nand r.entity_type = :entity_type and r.entity_type <> '' -- if :entity_type\nand r.entity_id = :entity_id -- if :entity_id\nand r.risk = :risk -- if :risk\norder by r.created_at desc, r.thread_id desc\nlimit :most\n) tab\n-- )\n) newest\ngroup by newest.is_open, newest.request_type",
  "request_log": "select e.event_id, e.event_type, e.agent, e.created_at, e.payload_json as facts_json,\ncoalesce(m.message_id, '') as message_id, coalesce(m.summary, '') as summary,\ncoalesce(m.body, '') as body, coalesce(m.payload_json, '{}') as payload_json, m.imported_by\nfrom events e left join messages m on m.message_id = e.message_id\nwhere e.thread_id = :thread_id and e.event_type in (:types...)\norder by e.event_id",
  "requests_held_due": {
    "sql": "select thread_id, held_until as due_at from requests where held_until is not null and held_until <= ?1 order by held_until limit ?2",
    "names": [
      "by",
      "limit"
    ]
  },
  "requests_remind_due": {
    "sql": "select thread_id, remind_at as due_at from requests where remind_at is not null and remind_at <= ?1 and held_until is null order by remind_at limit ?2",
    "names": [
      "by",
      "limit"
    ]
  },
  "requests_lapse_due": {
    "sql": "select thread_id, lapses_at as due_at from requests where lapses_at is not null and lapses_at <= ?1 and held_until is null order by lapses_at limit ?2",
    "names": [
      "by",
      "limit"
    ]
  },
  "effects_open": {
    "sql": "select e.*, r.request_type from effects e cross join requests r cross join messages m where e.is_open = 1 and r.thread_id = e.thread_id and m.message_id = r.decision_message and m.imported_by is null order by e.queued_at, e.thread_id limit ?1",
    "names": [
      "limit"
    ]
  },
  "effect_keep": {
    "sql": "update effects set expires_at = ?1 where thread_id = ?2 and state = 'running'",
    "names": [
      "expires_at",
      "thread_id"
    ]
  },
  "effect_commands_all": {
    "sql": "select * from effect_commands where removed_at is null order by request_type",
    "names": []
  },
  "requests_prunable": "select t.* from requests r cross join threads t\nwhere t.thread_id = r.thread_id\nand r.is_open = 0 and r.created_at < :before and r.decided_at < :before\nand r.thread_id = :thread_id -- if :thread_id\nand not exists (select 1 from effects e where e.thread_id = r.thread_id and e.is_open = 1)\nand not exists (select 1 from deliveries d where d.thread_id = r.thread_id and (d.state in ('queued', 'presented') or d.unread_at is not null))\norder by r.created_at, r.thread_id\nlimit :limit",
  "requests_waiting": "select r.thread_id as request_id, r.requester, r.created_at, m.summary as title\nfrom requests r cross join messages m\nwhere m.message_id = r.revision_message\nand r.is_open = 1 and r.created_at <= :before\nand r.requester = :requester -- if :requester\norder by r.created_at, r.thread_id\nlimit :limit",
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
  "threads_count": {
    "sql": "select status, count(*) as n from threads where kind = 'work' group by status",
    "names": []
  },
  "threads_counted": {
    "sql": "select count(*) as n from (select 1 as one from threads where status = ?1 and kind = 'work' order by updated_at limit ?2) few",
    "names": [
      "status",
      "most"
    ]
  },
  "messages_counted": {
    "sql": "select count(*) as n from (select 1 as one from messages limit ?1) few",
    "names": [
      "most"
    ]
  },
  "events_counted": {
    "sql": "select count(*) as n from (select 1 as one from events limit ?1) few",
    "names": [
      "most"
    ]
  },
  "threads_left_lying": {
    "sql": "select * from threads where status = 'pending' and kind = 'work' order by updated_at, thread_id limit ?1",
    "names": [
      "limit"
    ]
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
  },
  "agent_lock": {
    "sql": "select agent_id from agents where agent_id = ?1",
    "names": [
      "agent_id"
    ]
  },
  "wake_lock": {
    "sql": "select * from wakes where wake_id = ?1",
    "names": [
      "wake_id"
    ]
  },
  "wake_keep": {
    "sql": "update wakes set state = 'running', expires_at = ?1 where wake_id = ?2 and coalesce(ended_at, '') = ''",
    "names": [
      "expires_at",
      "wake_id"
    ]
  },
  "wake_open": {
    "sql": "select * from wakes where agent_id = ?1 and ended_at is null",
    "names": [
      "agent_id"
    ]
  },
  "wake_last": "select * from wakes where agent_id = :agent_id and started_at <= :now\nand cause = :cause -- if :cause\norder by started_at desc, wake_id desc limit 1",
  "wake_handed": {
    "sql": "select max(upto_event) as handed from wakes where agent_id = ?1 and state = 'ended'",
    "names": [
      "agent_id"
    ]
  },
  "wake_starts": {
    "sql": "select count(*) as starts, min(started_at) as first_start from wakes where agent_id = ?1 and started_at > ?2 and started_at <= ?3",
    "names": [
      "agent_id",
      "since",
      "now"
    ]
  },
  "wake_mail": {
    "sql": "select d.event_id, d.kind, d.presented_at, d.presented_by, m.from_agent, m.hops, m.imported_by, a.agent_run_id, a.status as agent_run_status from deliveries d join messages m on m.message_id = d.message_id left join events e on e.event_id = d.event_id left join requests r on r.thread_id = d.thread_id and r.entity_type = 'agent_workspace_run' and e.event_type <> 'request_comment' left join agent_runs a on a.agent_run_id = r.entity_id where d.recipient = ?1 and d.state in ('queued', 'presented') and d.event_id > ?2 and (d.expires_at is null or d.expires_at > ?3) and d.kind not in ('progress', 'event') order by d.event_id limit ?4",
    "names": [
      "agent_id",
      "after",
      "now",
      "limit"
    ]
  },
  "wake_took": {
    "sql": "select case when presented_at <= ?1 then presented_at end as presented_at, presented_by, case when read_at <= ?1 then read_at end as read_at from deliveries where recipient = ?2 order by event_id desc limit 100",
    "names": [
      "now",
      "agent_id"
    ]
  },
  "waits_until": {
    "sql": "select waiting_until as until from sightings where agent_id = ?1",
    "names": [
      "agent_id"
    ]
  },
  "wakes_prunable": "select w.wake_id as row_key, 2 as events from wakes w\nwhere w.started_at < :before and coalesce(w.ended_at, :before) < :before\nand w.wake_id in (:keys...) -- if :keys\nand exists (select 1 from wakes n\nwhere n.agent_id = w.agent_id and n.state = w.state and n.cause = w.cause\nand (w.state <> 'ended' or n.upto_event >= w.upto_event)\nand (n.started_at > w.started_at or (n.started_at = w.started_at and n.wake_id > w.wake_id)))\norder by w.started_at\nlimit :limit",
  "instance_get": {
    "sql": "select * from instances where instance = ?1",
    "names": [
      "instance"
    ]
  },
  "instance_lock": {
    "sql": "select * from instances where instance = ?1",
    "names": [
      "instance"
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
  },
  "instances_list": "select * from instances\nwhere instance > :after\nand state = :state -- if :state\norder by instance\nlimit :limit",
  "instance_in_dir": {
    "sql": "select * from instances where dir = ?1 order by started_at desc, instance desc limit 1",
    "names": [
      "dir"
    ]
  },
  "instances_prunable": "select i.instance as row_key, i.generation * 2 + i.stops as events from instances i\nwhere i.state = 'ended' and i.ended_at < :before\nand i.instance in (:keys...) -- if :keys\nand not exists (select 1 from threads t where t.thread_id = i.thread_id)\norder by i.ended_at, i.instance\nlimit :limit",
  "channel_entries": {
    "sql": "select message_id, seq, from_agent, body, payload_json, created_at, in_reply_to from messages where thread_id = ?1 and seq > ?2 order by seq limit ?3",
    "names": [
      "thread_id",
      "after",
      "limit"
    ]
  },
  "channel_last": "select message_id, seq, from_agent, body, payload_json, created_at, in_reply_to from messages\nwhere thread_id = :thread_id\nand seq < :before -- if :before\norder by seq desc\nlimit :limit",
  "channel_until": {
    "sql": "select coalesce(max(seq), 0) as seq from messages where thread_id = ?1 and created_at <= ?2",
    "names": [
      "thread_id",
      "at"
    ]
  },
  "entries_in_turn": {
    "sql": "select count(*) as count from ( select 1 from messages m where m.from_agent = ?1 and m.kind <> 'event' and m.thread_id = ?2 and m.created_at >= (select max(w.started_at) from wakes w where w.agent_id = ?1 and w.ended_at is null) limit ?3 ) said",
    "names": [
      "agent",
      "thread_id",
      "limit"
    ]
  },
  "unread_in": {
    "sql": "select distinct recipient from deliveries where thread_id = ?1 and state in ('queued', 'presented') order by recipient",
    "names": [
      "thread_id"
    ]
  },
  "delivery_place": {
    "sql": "select event_id from deliveries where thread_id = ?1 and recipient = ?2 and message_id = ?3",
    "names": [
      "thread_id",
      "recipient",
      "message_id"
    ]
  },
  "inbox_until": {
    "sql": "select event_id, message_id, thread_id, state, expires_at from deliveries where recipient = ?1 and state in ('queued', 'presented') and (queued_at < ?2 or (queued_at = ?2 and state = 'presented')) order by event_id",
    "names": [
      "recipient",
      "at"
    ]
  },
  "channels_prunable": "select t.* from threads t\nwhere t.kind = 'channel' and t.updated_at < :before\nand t.thread_id = :thread_id -- if :thread_id\nand not exists (select 1 from instances i\nwhere i.instance = t.run_id and i.thread_id = t.thread_id\nand (i.state = 'running' or i.ended_at >= :before))\nand not exists (select 1 from deliveries d\nwhere d.thread_id = t.thread_id and (d.state in ('queued', 'presented') or d.unread_at is not null)\nand (d.recipient = 'user' or substr(d.recipient, 1, 5) = 'user:'))\norder by t.updated_at, t.thread_id\nlimit :limit",
  "revision_get": "select * from document_revisions\nwhere instance = :instance and file = :file\nand revision = :revision -- if :revision\norder by revision desc\nlimit 1",
  "revision_text": {
    "sql": "select body, payload_json from messages where thread_id = ?1 and seq = 1",
    "names": [
      "thread_id"
    ]
  },
  "revisions_kept": {
    "sql": "select * from document_revisions where instance = ?1 and file = ?2 and is_kept = 1 order by revision desc limit ?3",
    "names": [
      "instance",
      "file",
      "limit"
    ]
  },
  "revisions_of_document": {
    "sql": "select * from document_revisions where instance = ?1 and file = ?2 order by revision desc limit ?3",
    "names": [
      "instance",
      "file",
      "limit"
    ]
  },
  "revisions_of_instance": {
    "sql": "select * from document_revisions where instance = ?1 order by created_at desc, file desc, revision desc limit ?2",
    "names": [
      "instance",
      "limit"
    ]
  },
  "revisions_prunable": "select t.* from document_revisions r cross join threads t\nwhere t.thread_id = r.thread_id and r.created_at < :before\nand r.thread_id = :thread_id -- if :thread_id\nand (exists (select 1 from document_revisions n\nwhere n.instance = r.instance and n.file = r.file and n.revision > r.revision)\nor not exists (select 1 from instances i\nwhere i.instance = r.instance and (i.state = 'running' or i.ended_at >= :before)))\norder by r.created_at, r.thread_id\nlimit :limit",
  "instances_ended": "select * from instances\nwhere state = 'ended'\nand (ended_at, instance) < (:before, :before_instance) -- if :before\norder by ended_at desc, instance desc\nlimit :limit",
  "channels_standing": "select thread_id, message_count as entries, updated_at as last_at from threads\nwhere thread_id in (:threads...)",
  "channels_unread": "select d.thread_id, count(*) as unread from deliveries d\nwhere d.recipient = :recipient and d.thread_id in (:threads...) and (d.state in ('queued', 'presented') or d.unread_at is not null)\ngroup by d.thread_id",
  "members_unread": "select d.recipient, count(*) as unread from deliveries d\nwhere d.recipient in (:agents...) and d.state in ('queued', 'presented')\ngroup by d.recipient",
  "members_said": "-- each :agents (\nselect * from (\nselect from_agent, thread_id, seq, summary, created_at from messages\nwhere from_agent = :agents.each and kind <> 'event'\norder by created_at desc, message_id desc\nlimit 1) as latest\n-- )"
}
