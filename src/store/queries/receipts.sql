--- agents_known
select agent_id from agents where agent_id in (:agents...)

--- wake_running
select wake_id, hops from wakes where agent_id = :agent_id and ended_at is null

--- messages_sent_by
select * from messages
where from_agent = :from_agent and kind <> 'event'
order by created_at desc, message_id desc
limit :limit

--- delivery_next_expiry
select expires_at from deliveries
where expires_at is not null and state in ('queued', 'presented')
order by expires_at limit 1
