--- threads_prunable
select t.* from threads t
where status = :status and updated_at < :before
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
