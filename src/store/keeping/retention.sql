--- threads_prunable
select t.* from threads t
where kind = :kind and status = :status and updated_at < :before
  -- if :read_only (
  and not exists (select 1 from deliveries d
    where d.thread_id = t.thread_id and d.state in ('queued', 'presented'))
  -- )
order by updated_at, thread_id
limit :limit

--- mail_totals
select
  (select cast(coalesce(sum(message_count), 0) as bigint) from threads where kind = 'mail')
    as messages,
  (select count(*) from threads where kind = 'mail' and updated_at < :before) as old,
  (select count(distinct d.message_id) from deliveries d join threads t on t.thread_id = d.thread_id
    where d.state in ('queued', 'presented') and t.kind = 'mail') as unread

--- work_young
select count(*) as n from threads
where kind = 'work' and status in (:statuses...) and updated_at >= :before

--- work_unread
-- The unread deliveries in old finished work.
select d.recipient, d.thread_id
from deliveries d join threads t on t.thread_id = d.thread_id
where d.state in ('queued', 'presented')
  and t.kind = 'work' and t.status in (:statuses...) and t.updated_at < :before
limit :limit

--- pushes_kept_shown
select count(*) as n from pushes
where trashed_at is null and deleted_at is null and created_at < :before

--- deliveries_delete
delete from deliveries where thread_id = :thread_id

--- events_last_of_thread
select coalesce(max(event_id), 0) as event_id, count(*) as n, coalesce(max(created_at), '') as at
from events where thread_id = :thread_id

--- event_last_before
-- From the end of the log backward, so only newer rows are read.
select event_id from events where created_at < :before order by event_id desc limit 1

--- events_delete
delete from events where thread_id = :thread_id

--- keys_count
select count(*) as n from idempotency_keys where created_at < :before

--- keys_delete
delete from idempotency_keys where created_at < :before

--- lease_delete
delete from leases where thread_id = :thread_id

--- messages_delete
delete from messages where thread_id = :thread_id

--- artifacts_delete
delete from artifacts
where message_id in (select message_id from messages where thread_id = :thread_id)

--- read_marks_delete
delete from thread_reads where thread_id = :thread_id

--- mail_prunable
-- Mail that no one still has to read or answer and no one is waiting for, quietest first, with the time it was
-- handled. Mail that was read elsewhere before it was imported may have been answered there.
select t.thread_id, t.message_count, t.updated_at,
       coalesce((select max(coalesce(d.acted_at, d.read_at, d.ended_at, d.queued_at))
         from deliveries d where d.thread_id = t.thread_id), t.updated_at) as handled_at
from threads t
where t.kind = 'mail'
  and t.thread_id = :thread_id -- if :thread_id
  and not exists (select 1 from deliveries d
    where d.thread_id = t.thread_id and d.state in ('queued', 'presented'))
  and not exists (select 1 from messages q join deliveries d on d.message_id = q.message_id
    where q.thread_id = t.thread_id and d.thread_id = t.thread_id and q.kind = 'question'
      and d.state = 'read' and d.read_by <> 'import'
      and not exists (select 1 from messages a where a.thread_id = t.thread_id
        and a.in_reply_to = q.message_id and a.from_agent <> q.from_agent))
  and not exists (select 1 from messages m join sightings s on s.agent_id = m.from_agent
    where m.thread_id = t.thread_id and s.waiting_until > :now)
order by t.updated_at, t.thread_id
limit :limit

--- event_delete
delete from events where event_id = :event_id

--- thread_delete
delete from threads where thread_id = :thread_id

--- record_events_old
-- Events of records that may no longer be needed.
select event_id, event_type, created_at, payload_json from events
where thread_id = '' and event_id > :after and created_at < :before and event_type in (:types...)
order by event_id
limit :limit
