--- agents_known
select agent_id, declared_status from agents where agent_id in (:agents...)

--- wake_running
select wake_id, hops from wakes where agent_id = :agent_id and ended_at is null

--- messages_sent_by
-- How they fared is asked, and what they are called: of a long one the beginning will do.
select message_id, thread_id, seq, from_agent, to_agent, kind, summary, substr(body, 1, 2000) as body,
       case when length(payload_json) <= 4000 then payload_json else '{}' end as payload_json,
       created_at, in_reply_to, issue_id, agent_id, hops, imported_by
from messages
where from_agent = :from_agent and kind <> 'event'
order by created_at desc, message_id desc
limit :limit

--- messages_said_in
select message_id, thread_id, seq, from_agent, to_agent, kind, summary, substr(body, 1, 2000) as body,
       case when length(payload_json) <= 4000 then payload_json else '{}' end as payload_json,
       created_at, in_reply_to, issue_id, agent_id, hops, imported_by
from messages
where thread_id = :thread_id and kind <> 'event'
  and from_agent = :from_agent -- if :from_agent
order by seq desc
limit :limit

--- delivery_next_expiry
select expires_at from deliveries
where expires_at is not null and state in ('queued', 'presented')
order by expires_at limit 1

--- agents_off_with_mail
-- Who was turned off while something was on its way to it.
select a.agent_id from agents a
where a.agent_id > '' and a.declared_status = 'off'
  and exists (select 1 from deliveries d
    where d.recipient = a.agent_id and d.state in ('queued', 'presented'))
order by a.agent_id
limit :limit
