--- push_get
select * from pushes where thread_id = :thread_id

--- push_insert
insert into pushes (thread_id, workspace_id, workspace_label, form, created_at)
values (:thread_id, :workspace_id, :workspace_label, :form, :created_at)

--- push_put_away
update pushes set trashed_at = :trashed_at where thread_id = :thread_id

--- push_gone
update pushes set deleted_at = :at where thread_id = :thread_id

--- push_row_delete
delete from pushes where thread_id = :thread_id

--- people_all
select person_id from people order by person_id

--- deliveries_keep_unread
update deliveries set unread_at = coalesce(unread_at, :at)
where thread_id = :thread_id and recipient = :recipient and message_id in (:messages...)
  and state in ('read', 'acted')

--- deliveries_remove
delete from deliveries where thread_id = :thread_id and recipient = :recipient

--- push_scrub_messages
-- As bookkeeping they are shown nowhere; who wrote to whom and when stays, for the log to replay.
update messages
set kind = 'event', summary = '', body = '', payload_json = '{}', issue_id = null, agent_id = null
where thread_id = :thread_id

--- push_scrub_events
update events set summary = '' where thread_id = :thread_id

--- push_scrub_thread
update threads set subject = '' where thread_id = :thread_id

--- push_scrub_keys
-- Answers that were kept for a retry and hold what was said in it.
delete from idempotency_keys
where response_json like :named

--- pushes_prunable
-- Put away or deleted before then, and nobody has anything left to read in it.
select t.* from pushes p join threads t on t.thread_id = p.thread_id
where coalesce(p.deleted_at, p.trashed_at) < :before
  and (p.trashed_at is not null or p.deleted_at is not null)
  and p.thread_id = :thread_id -- if :thread_id
  and not exists (select 1 from deliveries d
    where d.thread_id = p.thread_id
      and (d.state in ('queued', 'presented') or d.unread_at is not null))
order by coalesce(p.deleted_at, p.trashed_at), p.thread_id
limit :limit
