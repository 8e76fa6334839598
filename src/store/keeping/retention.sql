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

--- wakes_prunable
-- Over for long; and not the last of its kind, from which the broker knows where it stands.
select w.wake_id from wakes w
where w.started_at < :before and coalesce(w.ended_at, :before) < :before
  and exists (select 1 from wakes n
    where n.agent_id = w.agent_id and n.state = w.state and n.cause = w.cause
      and (n.started_at > w.started_at or (n.started_at = w.started_at and n.wake_id > w.wake_id)))
order by w.started_at
limit :limit

--- deliveries_delete
delete from deliveries where thread_id = :thread_id

--- events_last_of_thread
select coalesce(max(event_id), 0) as event_id, count(*) as n, coalesce(max(created_at), '') as at
from events where thread_id = :thread_id

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
-- Mail that nobody has yet to read or to answer and nobody waits over, quietest first; with when it was
-- dealt with. What was read elsewhere, before it came here, may have been answered there.
select t.thread_id, t.message_count, t.updated_at,
       coalesce((select max(coalesce(d.acted_at, d.read_at, d.ended_at, d.queued_at))
         from deliveries d where d.thread_id = t.thread_id), t.updated_at) as settled_at
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

--- agent_events_old
-- Events of agents that later ones may have replaced.
select event_id, event_type, created_at, payload_json from events
where thread_id = '' and event_id > :after and created_at < :before
  and event_type in ('wake_start', 'wake_end', 'agent_declare', 'token_issue', 'token_revoke')
order by event_id
limit :limit

--- tokens_prunable
-- Good for nothing any more, for long; with how many events tell of it.
select token_id, case when revoked_at is null then 1 else 2 end as events from tokens
where coalesce(revoked_at, expires_at, '9999') < :before
  and token_id in (:tokens...) -- if :tokens
order by token_id
limit :limit

--- token_delete
delete from tokens where token_id = :token_id

--- agents_declared
select agent_id, declared_at from agents where agent_id > '' and coalesce(declared_at, '') <> ''

--- wake_delete
delete from wakes where wake_id = :wake_id

--- event_delete
delete from events where event_id = :event_id

--- thread_delete
delete from threads where thread_id = :thread_id
