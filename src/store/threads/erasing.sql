--- erase_thread
update threads set subject = '' where thread_id = :thread_id

--- erase_messages
-- The messages become bookkeeping, which no list shows. Who wrote to whom and when stays, for the log to replay.
update messages
set kind = 'event', summary = '', body = '', payload_json = '{}', issue_id = null, agent_id = null
where thread_id = :thread_id

--- erase_events
update events set summary = '' where thread_id = :thread_id

--- erase_keys
-- Answers that were kept for a retry and hold what was said in it.
delete from idempotency_keys
where response_json like :named

--- trim_messages
update messages set body = '', payload_json = '{}' where thread_id = :thread_id
