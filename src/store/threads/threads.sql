--- thread_lock
select * from threads where thread_id = :thread_id /*pg for update */

--- thread_get
-- part threads_with_lease
where t.thread_id = :thread_id

--- thread_standing
-- One thread (null if there is none), with the end of the log and the current time.
select t.*, l.agent_id, l.lease_token, l.generation, l.lease_seconds, l.claimed_at, l.expires_at,
       l.released_at, ends.log_end, :now as now
from (select coalesce(max(event_id), 0) as log_end
      from (select max(event_id) as event_id from events
            union all
            select cast(value as bigint) from settings where name = 'event_floor') two) ends
  left join threads t on t.thread_id = :thread_id
  left join leases l on l.thread_id = t.thread_id

--- thread_insert
insert into threads (thread_id, run_id, task_id, subject, created_by, assigned_to, status, priority,
                     priority_rank, latest_message_id, message_count, created_at, updated_at, kind)
values (:thread_id, :run_id, :task_id, :subject, :created_by, :assigned_to, :status, :priority,
        :priority_rank, :latest_message_id, :message_count, :created_at, :updated_at, :kind)

--- thread_update
update threads
set assigned_to = :assigned_to, status = :status, latest_message_id = :latest_message_id,
    message_count = :message_count, updated_at = :updated_at
where thread_id = :thread_id

--- thread_lock_pending
select * from threads
where status = 'pending' and assigned_to = :agent and kind = 'work'
order by priority_rank, created_at, thread_id
limit 1 /*pg for update skip locked */

--- thread_next_of_role
-- Threads that any member of the agent's role may claim. The thread's creator wants another member.
select * from threads
where status = 'pending' and created_by <> :agent and kind = 'work'
  and assigned_to = (select 'role:' || role from agents where agent_id = :agent)
order by priority_rank, created_at, thread_id
limit 1

--- thread_lock_role
select * from threads
where status = 'pending' and assigned_to = :role and created_by <> :agent and kind = 'work'
order by priority_rank, created_at, thread_id
limit 1 /*pg for update skip locked */

--- thread_lock_lapsed_of
select t.* from (
    -- Limited, because otherwise PostgreSQL, which can't know how few have lapsed, reads all threads.
    select thread_id from leases
    where agent_id = :agent and released_at is null and expires_at <= :now
    order by expires_at limit 100
  ) l join threads t on t.thread_id = l.thread_id and t.kind = 'work'
order by t.priority_rank, t.created_at, t.thread_id
limit 1 /*pg for update of t skip locked */

--- thread_passed_over
-- A thread the agent could claim, even if another transaction has locked its row.
select thread_id from (
  select thread_id from (
    select thread_id from threads
    where status = 'pending' and assigned_to = :agent and kind = 'work'
    limit 1
  ) own
  union all
  select thread_id from (
    select thread_id from threads
    where status = 'pending' and created_by <> :agent and kind = 'work'
      and assigned_to = (select 'role:' || role from agents where agent_id = :agent)
    limit 1
  ) of_role
  union all
  select t.thread_id from (
    select thread_id from leases
    where agent_id = :agent and released_at is null and expires_at <= :now
    order by expires_at limit 100
  ) l join threads t on t.thread_id = l.thread_id and t.kind = 'work'
) any_of_them
limit 1

--- threads_list
-- One part for each status, so that every part is one walk along one index and stops at the limit; an `in (…)` over
-- statuses would have to sort everything it matches.
select * from (
  -- each :statuses (
  select * from (
    select * from threads
    -- part threads_owned
      and (updated_at, thread_id) < (:before_at, :before_thread) -- if :before_at
    order by updated_at desc, thread_id desc
    limit :limit
  ) part
  -- )
) parts
order by updated_at desc, thread_id desc
limit :limit

--- threads_list_oldest
-- The reverse order: longest waiting first.
select * from (
  -- each :statuses (
  select * from (
    select * from threads
    -- part threads_owned
      and (updated_at, thread_id) > (:before_at, :before_thread) -- if :before_at
    order by updated_at, thread_id
    limit :limit
  ) part
  -- )
) parts
order by updated_at, thread_id
limit :limit

--- threads_tally
-- The number of threads in each status, up to a limit.
-- each :statuses (
select :statuses.each as status, (
  select count(*) from (
    select 1 as one from threads
    -- part threads_owned
      and created_by <> :not_by -- if :not_by
    limit :most
  ) counted
) as n
-- )

--- threads_beside
-- The lease of each thread, and the question it is blocked on.
select t.thread_id, l.agent_id, l.lease_token, l.generation, l.lease_seconds, l.claimed_at,
       l.expires_at, l.released_at, q.message_id, q.from_agent, q.summary, q.created_at
from threads t
  left join leases l on l.thread_id = t.thread_id
  left join messages q on t.status = 'blocked' and q.message_id = (
    select m.message_id from messages m
    where m.thread_id = t.thread_id and m.kind = 'question'
    order by m.seq desc limit 1)
where t.thread_id in (:threads...)

--- threads_fetch_pending
-- part threads_with_lease
where t.status = 'pending' and t.assigned_to = :agent and t.kind = 'work'
  -- part threads_unread
order by t.priority_rank, t.created_at, t.thread_id
limit :limit

--- threads_fetch_role
-- part threads_with_lease
where t.status = 'pending' and t.created_by <> :agent and t.kind = 'work'
  and t.assigned_to = (select 'role:' || role from agents where agent_id = :agent)
  -- if :unread (
  and exists (select 1 from deliveries d
    where d.thread_id = t.thread_id and d.recipient in (:agent, t.assigned_to)
      and d.state in ('queued', 'presented'))
  -- )
order by t.priority_rank, t.created_at, t.thread_id
limit :limit

--- threads_fetch_lapsed
select t.*, l.agent_id, l.lease_token, l.generation, l.lease_seconds, l.claimed_at,
       l.expires_at, l.released_at
from (
    select * from leases
    where agent_id = :agent and released_at is null and expires_at <= :now
    order by expires_at limit 500
  ) l join threads t on t.thread_id = l.thread_id and t.kind = 'work'
  -- if :unread (
  where exists (select 1 from deliveries d
    where d.thread_id = t.thread_id and d.recipient = :agent
      and d.state in ('queued', 'presented'))
  -- )
order by t.priority_rank, t.created_at, t.thread_id
limit :limit

--- threads_fetch_status
-- part threads_with_lease
where t.status = :status and t.assigned_to = :agent and t.kind = 'work'
  -- part threads_unread
order by t.priority_rank, t.created_at, t.thread_id
limit :limit

--- lease_get
select * from leases where thread_id = :thread_id

--- lease_put
insert into leases (thread_id, agent_id, lease_token, generation, lease_seconds, claimed_at,
                    expires_at, released_at)
values (:thread_id, :agent_id, :lease_token, :generation, :lease_seconds, :claimed_at,
        :expires_at, :released_at)
on conflict (thread_id) do update
set agent_id = excluded.agent_id, lease_token = excluded.lease_token,
    generation = excluded.generation, lease_seconds = excluded.lease_seconds,
    claimed_at = excluded.claimed_at, expires_at = excluded.expires_at,
    released_at = excluded.released_at

--- threads_count
select status, count(*) as n from threads where kind = 'work' group by status

--- threads_counted
select count(*) as n
from (select 1 as one from threads where status = :status and kind = 'work'
      order by updated_at limit :most) few

--- messages_counted
select count(*) as n from (select 1 as one from messages limit :most) few

--- events_counted
select count(*) as n from (select 1 as one from events limit :most) few

--- threads_left_lying
-- Ordered by last change, which has an index.
select * from threads where status = 'pending' and kind = 'work' order by updated_at, thread_id limit :limit

--- messages_count
select count(*) as n from messages

--- latest_question
select summary, created_at from messages where thread_id = :thread_id and kind = 'question'
order by seq desc limit 1

--- events_count
select count(*) as n from events

--- leases_expiring
select l.* from leases l cross join threads t
where l.released_at is null and t.thread_id = l.thread_id and t.kind = 'work'
order by l.expires_at limit :limit

--- erase_thread
update threads set subject = '' where thread_id = :thread_id

--- erase_messages
-- The messages become bookkeeping, which no list shows. Who wrote to whom and when is kept so that the log replays.
update messages
set kind = 'event', summary = '', body = '', payload_json = '{}', issue_id = null, agent_id = null
where thread_id = :thread_id

--- erase_events
update events set summary = '' where thread_id = :thread_id

--- erase_keys
-- Answers stored for a retry that contain what was said in the thread.
delete from idempotency_keys
where response_json like :named

--- trim_messages
update messages set body = '', payload_json = '{}' where thread_id = :thread_id

--- part threads_with_lease
select t.*, l.agent_id, l.lease_token, l.generation, l.lease_seconds, l.claimed_at,
       l.expires_at, l.released_at
from threads t left join leases l on l.thread_id = t.thread_id

--- part threads_unread
-- if :unread (
and exists (select 1 from deliveries d
  where d.thread_id = t.thread_id and d.recipient = :agent
    and d.state in ('queued', 'presented'))
-- )

--- part threads_owned
where status = :statuses.each and kind = 'work'
  and assigned_to = :assigned_to -- if :assigned_to
  and created_by = :created_by -- if :created_by
