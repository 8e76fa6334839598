--- instance_keep
update instances
set token = :token, expires_at = :expires_at, pid = :pid, log = :log, socket = :socket, url = :url
where instance = :instance

--- instances_list
select * from instances
where instance > :after
  and state = :state -- if :state
order by instance
limit :limit

--- instance_in_dir
-- The instance last started in a folder: no other can still be running there.
select * from instances where dir = :dir order by started_at desc, instance desc limit 1

--- instances_prunable
-- Instances that ended long ago and whose channel is gone. Each start, end and request to stop is an event.
select i.instance as row_key, i.generation * 2 + i.stops as events from instances i
where i.state = 'ended' and i.ended_at < :before
  and i.instance in (:keys...) -- if :keys
  and not exists (select 1 from threads t where t.thread_id = i.thread_id)
order by i.ended_at, i.instance
limit :limit

--- channel_entries
select message_id, seq, from_agent, body, payload_json, created_at, in_reply_to from messages
where thread_id = :thread_id and seq > :after
order by seq
limit :limit

--- channel_last
select message_id, seq, from_agent, body, payload_json, created_at, in_reply_to from messages
where thread_id = :thread_id
  and seq < :before -- if :before
order by seq desc
limit :limit

--- channel_until
select coalesce(max(seq), 0) as seq from messages where thread_id = :thread_id and created_at <= :at

--- entries_in_turn
-- Counts up to the limit. Outside a turn the count is 0.
select count(*) as count from (
  select 1 from messages m
  where m.from_agent = :agent and m.kind <> 'event' and m.thread_id = :thread_id
    and m.created_at >= (select max(w.started_at) from wakes w where w.agent_id = :agent and w.ended_at is null)
  limit :limit
) said

--- unread_in
select distinct recipient from deliveries
where thread_id = :thread_id and state in ('queued', 'presented')
order by recipient

--- delivery_place
select event_id from deliveries
where thread_id = :thread_id and recipient = :recipient and message_id = :message_id

--- inbox_until
-- Two may have come in the same millisecond with only the first one shown: the other must not count as read.
select event_id, message_id, thread_id, state, expires_at from deliveries
where recipient = :recipient and state in ('queued', 'presented')
  and (queued_at < :at or (queued_at = :at and state = 'presented'))
order by event_id

--- channels_prunable
-- Channels that have been quiet for long, don't belong to a run that may continue, and were read by every person.
-- Agents of a finished run no longer read.
select t.* from threads t
where t.kind = 'channel' and t.updated_at < :before
  and t.thread_id = :thread_id -- if :thread_id
  and not exists (select 1 from instances i
    where i.instance = t.run_id and i.thread_id = t.thread_id
      and (i.state = 'running' or i.ended_at >= :before))
  and not exists (select 1 from deliveries d
    where d.thread_id = t.thread_id and unread(d)
      and (d.recipient = 'user' or substr(d.recipient, 1, 5) = 'user:'))
order by t.updated_at, t.thread_id
limit :limit

--- revision_get
select * from document_revisions
where instance = :instance and file = :file
  and revision = :revision -- if :revision
order by revision desc
limit 1

--- revision_text
select body, payload_json from messages where thread_id = :thread_id and seq = 1

--- revisions_kept
select * from document_revisions
where instance = :instance and file = :file and is_kept = 1
order by revision desc
limit :limit

--- revisions_of_document
select * from document_revisions
where instance = :instance and file = :file
order by revision desc
limit :limit

--- revisions_of_instance
select * from document_revisions
where instance = :instance
order by created_at desc, file desc, revision desc
limit :limit

--- revisions_prunable
-- Replaced by a newer one, or its instance is over. The cross join makes SQLite begin with the first table.
select t.* from document_revisions r cross join threads t
where t.thread_id = r.thread_id and r.created_at < :before
  and r.thread_id = :thread_id -- if :thread_id
  and (exists (select 1 from document_revisions n
      where n.instance = r.instance and n.file = r.file and n.revision > r.revision)
    or not exists (select 1 from instances i
      where i.instance = r.instance and (i.state = 'running' or i.ended_at >= :before)))
order by r.created_at, r.thread_id
limit :limit

--- instances_ended
-- Instances that have ended, latest first.
select * from instances
where state = 'ended'
  and (ended_at, instance) < (:before, :before_instance) -- if :before
order by ended_at desc, instance desc
limit :limit

--- channels_standing
select thread_id, message_count as entries, updated_at as last_at from threads
where thread_id in (:threads...)

--- channels_unread
select d.thread_id, count(*) as unread from deliveries d
where d.recipient = :recipient and d.thread_id in (:threads...) and unread(d)
group by d.thread_id

--- members_unread
select d.recipient, count(*) as unread from deliveries d
where d.recipient in (:agents...) and d.state in ('queued', 'presented')
group by d.recipient

--- members_said
-- The latest message of each agent, in any thread.
-- each :agents (
select * from (
  select from_agent, thread_id, seq, summary, created_at from messages
  where from_agent = :agents.each and kind <> 'event'
  order by created_at desc, seq desc, message_id desc
  limit 1) as latest
-- )
