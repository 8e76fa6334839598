--- instances_ended
-- Instances that have ended, the latest first.
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
-- The latest words of each agent, wherever they were said.
-- each :agents (
select * from (
  select from_agent, thread_id, seq, summary, created_at from messages
  where from_agent = :agents.each and kind <> 'event'
  order by created_at desc, message_id desc
  limit 1) as latest
-- )
