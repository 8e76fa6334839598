--- deliveries_of_message
select * from deliveries where thread_id = :thread_id and message_id = :message_id order by recipient

--- deliveries_of_thread
select * from deliveries where thread_id = :thread_id order by event_id, recipient

--- messages_sent_by
-- How they fared is asked, and what they are called: of a long one the beginning will do.
select message_id, thread_id, seq, from_agent, to_agent, kind, summary, substr(body, 1, 2000) as body,
       case when length(payload_json) <= 4000 then payload_json else '{}' end as payload_json,
       created_at, in_reply_to, issue_id, agent_id, hops, imported_by
from messages
where from_agent = :from_agent and kind <> 'event'
  and (created_at, message_id) < (:before_at, :before_message) -- if :before_at
order by created_at desc, message_id desc
limit :limit

--- messages_said_in
select message_id, thread_id, seq, from_agent, to_agent, kind, summary, substr(body, 1, 2000) as body,
       case when length(payload_json) <= 4000 then payload_json else '{}' end as payload_json,
       created_at, in_reply_to, issue_id, agent_id, hops, imported_by
from messages
where thread_id = :thread_id and kind <> 'event'
  and from_agent = :from_agent -- if :from_agent
  and seq < :before_seq -- if :before_seq
order by seq desc
limit :limit

--- delivery_in_thread
select 1 as n from deliveries where thread_id = :thread_id and recipient = :recipient limit 1
