--- requests_list
-- The requests of one tab, newest first. The cross join makes SQLite begin with the first table.
select r.*, m.summary as title, m.imported_by
from requests r cross join messages m
where m.message_id = r.revision_message
  and r.is_open = :is_open
  -- part requests_filter
  and place_in(lower(m.summary), :part) > 0 -- if :part
  and place_in(',' || r.links || ',', ',' || :linked || ',') > 0 -- if :linked
  -- if :before_at (
  and r.created_at <= :before_at and (r.created_at < :before_at or r.thread_id < :before_id)
  -- )
  -- if :bottom_at (
  and r.created_at >= :bottom_at and (r.created_at > :bottom_at or r.thread_id >= :bottom_id)
  -- )
order by r.created_at desc, r.thread_id desc
limit :limit

--- requests_soonest
-- Open requests by expiry, soonest first, then by age; on a later page, those that expire later.
select r.created_at, r.thread_id from requests r
where r.is_open = 1
  -- part requests_filter
  and coalesce(r.expires_at, '~') > :over_expiry -- if :over_expiry
order by coalesce(r.expires_at, '~'), r.created_at, r.thread_id
limit :limit

--- requests_soonest_same
-- The remaining requests that expire at the same time as the last one of a page. They are read separately, because
-- SQLite doesn't use an index to compare an expression together with columns.
select r.created_at, r.thread_id from requests r
where r.is_open = 1 and coalesce(r.expires_at, '~') = :expiry
  -- part requests_filter
  and (r.created_at, r.thread_id) > (:after_at, :after_id)
order by r.created_at, r.thread_id
limit :limit

--- requests_soonest_found
-- These requests, or those of them that match. The cross join makes SQLite begin with the first table.
select r.*, m.summary as title, m.imported_by
from requests r cross join messages m
where m.message_id = r.revision_message
  and r.thread_id in (:places...)
  and place_in(lower(m.summary), :part) > 0 -- if :part
  and place_in(',' || r.links || ',', ',' || :linked || ',') > 0 -- if :linked
order by coalesce(r.expires_at, '~'), r.created_at, r.thread_id
limit :limit

--- requests_of_payload
select * from requests
where payload_sha256 = :payload_sha256 and requester = :requester
order by created_at desc, thread_id desc
limit 50

--- requests_bottom
-- The last request of the next piece of a search; no row if fewer are left.
select r.created_at, r.thread_id from requests r
where r.is_open = :is_open
  -- part requests_filter
  -- if :before_at (
  and r.created_at <= :before_at and (r.created_at < :before_at or r.thread_id < :before_id)
  -- )
order by r.created_at desc, r.thread_id desc
limit 1 offset :beyond

--- request_place
select created_at, thread_id, expires_at from requests where thread_id = :thread_id

--- requests_counts
-- The types on each tab, read from the index one by one, with the number of requests of each, up to a limit.
with recursive types (is_open, request_type, n) as (
  select t.is_open, (
    select r.request_type from requests r
    where r.is_open = t.is_open
      -- part requests_about
    order by r.request_type limit 1
  ), 1
  from (select 0 as is_open union all select 1) t
  union all
  select t.is_open, (
    select r.request_type from requests r
    where r.is_open = t.is_open and r.request_type > t.request_type
      -- part requests_about
    order by r.request_type limit 1
  ), t.n + 1
  from types t
  where t.request_type is not null and t.n < :most_types
)
select t.is_open, t.request_type, (
  select count(*) from (
    select 1 as one from requests r
    where r.is_open = t.is_open and r.request_type = t.request_type
      -- part requests_about
    limit :most
  ) counted
) as n
from types t
where t.request_type is not null

--- requests_counts_narrowed
-- Of the newest requests of each tab, up to a limit: how many have each type, and how many of those match.
select newest.is_open, newest.request_type, count(*) as looked, sum(case when 1 = 1
    and place_in(lower((select m.summary from messages m where m.message_id = newest.revision_message)), :part) > 0 -- if :part
    and place_in(',' || newest.links || ',', ',' || :linked || ',') > 0 -- if :linked
  then 1 else 0 end) as n
from (
  -- each :tabs (
  select * from (
    select r.is_open, r.request_type, r.revision_message, r.links from requests r
    where r.is_open = :tabs.each
      -- part requests_about
      and r.risk = :risk -- if :risk
    order by r.created_at desc, r.thread_id desc
    limit :most
  ) tab
  -- )
) newest
group by newest.is_open, newest.request_type

--- request_log
-- The events of one request, in order, with their messages.
select e.event_id, e.event_type, e.agent, e.created_at, e.payload_json as facts_json,
       coalesce(m.message_id, '') as message_id, coalesce(m.summary, '') as summary,
       coalesce(m.body, '') as body, coalesce(m.payload_json, '{}') as payload_json, m.imported_by
from events e left join messages m on m.message_id = e.message_id
where e.thread_id = :thread_id and e.event_type in (:types...)
order by e.event_id

--- requests_held_due
select thread_id, held_until as due_at from requests
where held_until is not null and held_until <= :by
order by held_until limit :limit

--- requests_remind_due
select thread_id, remind_at as due_at from requests
where remind_at is not null and remind_at <= :by and held_until is null
order by remind_at limit :limit

--- requests_lapse_due
select thread_id, lapses_at as due_at from requests
where lapses_at is not null and lapses_at <= :by and held_until is null
order by lapses_at limit :limit

--- effects_open
-- Effects that are waiting or running and were decided here: an imported decision starts nothing. The cross join
-- makes SQLite begin with the first table.
select e.*, r.request_type
from effects e cross join requests r cross join messages m
where e.is_open = 1 and r.thread_id = e.thread_id
  and m.message_id = r.decision_message and m.imported_by is null
order by e.queued_at, e.thread_id
limit :limit

--- effect_keep
update effects set expires_at = :expires_at where thread_id = :thread_id and state = 'running'

--- effect_commands_all
select * from effect_commands where removed_at is null order by request_type

--- requests_prunable
-- Resolved before then, without an unfinished effect, and read by everyone. Only older ones are examined, because a
-- request is made before it is resolved. The cross join makes SQLite begin with the first table.
select t.* from requests r cross join threads t
where t.thread_id = r.thread_id
  and r.is_open = 0 and r.created_at < :before and r.decided_at < :before
  and r.thread_id = :thread_id -- if :thread_id
  and not exists (select 1 from effects e where e.thread_id = r.thread_id and e.is_open = 1)
  and not exists (select 1 from deliveries d where d.thread_id = r.thread_id and unread(d))
order by r.created_at, r.thread_id
limit :limit

--- requests_waiting
-- The requests that have been open the longest. The cross join makes SQLite begin with the first table.
select r.thread_id as request_id, r.requester, r.created_at, m.summary as title
from requests r cross join messages m
where m.message_id = r.revision_message
  and r.is_open = 1 and r.created_at <= :before
  and r.requester = :requester -- if :requester
order by r.created_at, r.thread_id
limit :limit

--- agent_run_open
-- An agent has at most one unfinished run in a folder; if an imported log has more, the latest counts.
select * from agent_runs
where agent_id = :agent_id and folder = :folder and status in ('running', 'paused')
order by began_at desc, agent_run_id desc
limit 1

--- agent_run_place
select began_at from agent_runs where agent_run_id = :agent_run_id

--- agent_runs_list
-- Latest first, with the answer to the latest review.
select a.*, coalesce(m.body, '') as response_markdown
from agent_runs a left join messages m on m.message_id = a.response_message
where a.began_at > ''
  and a.agent_id = :agent_id -- if :agent_id
  and a.status = :status -- if :status
  and a.agent_run_id = :agent_run_id -- if :agent_run_id
  -- if :before_at (
  and a.began_at <= :before_at and (a.began_at < :before_at or a.agent_run_id < :before_id)
  -- )
order by a.began_at desc, a.agent_run_id desc
limit :limit

--- agent_runs_unasked
-- Paused runs whose review can't be decided by anyone.
select a.* from agent_runs a
where a.status = 'paused' and not exists (
  select 1 from requests r where r.thread_id = a.request_id and r.is_open = 1)
order by a.began_at, a.agent_run_id
limit :limit

--- request_of_review
select * from requests
where requester = :requester and review_id = :review_id and review_id <> ''

--- requirements_all
-- Removed requirements don't apply.
select * from requirements
where removed_at is null
  and applies_to in (:holders...) -- if :holders
order by applies_to, requires, requirement_id

--- part requests_about
and r.requester = :requester -- if :requester
and r.recipient = :recipient and r.recipient <> '' -- if :recipient
and r.entity_type = :entity_type and r.entity_type <> '' -- if :entity_type
and r.entity_id = :entity_id -- if :entity_id

--- part requests_filter
and r.status = :status -- if :status
and r.request_type = :request_type -- if :request_type
-- part requests_about
and r.risk = :risk -- if :risk
