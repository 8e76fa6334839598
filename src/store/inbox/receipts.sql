--- deliveries_of_message
select * from deliveries where thread_id = :thread_id and message_id = :message_id order by recipient

--- deliveries_of_thread
select * from deliveries where thread_id = :thread_id order by event_id, recipient

--- messages_sent_by
-- How they fared is asked, and what they are called: of a long one the beginning will do. But a database reads
-- all of a text to get at its beginning, so sizes decide here too how many are read.
select m.message_id, m.thread_id, m.seq, m.from_agent, m.to_agent, m.kind, m.summary,
       substr(m.body, 1, 2000) as body,
       case when length(m.payload_json) <= 4000 then m.payload_json else '{}' end as payload_json,
       m.created_at, m.in_reply_to, m.issue_id, m.agent_id, m.hops, m.imported_by, fitting.candidates
from (
    select message_id, count(*) over () as candidates,
           sum(size) over (order by created_at desc, message_id desc) - size as ahead
    from (
      select message_id, created_at, octet_length(body) + octet_length(payload_json) as size
      from messages
      where from_agent = :from_agent and kind <> 'event'
        and (created_at, message_id) < (:before_at, :before_message) -- if :before_at
      order by created_at desc, message_id desc
      limit :limit
    ) sized
  ) fitting
  cross join messages m
where m.message_id = fitting.message_id and fitting.ahead < :bytes

--- messages_said_in
select m.message_id, m.thread_id, m.seq, m.from_agent, m.to_agent, m.kind, m.summary,
       substr(m.body, 1, 2000) as body,
       case when length(m.payload_json) <= 4000 then m.payload_json else '{}' end as payload_json,
       m.created_at, m.in_reply_to, m.issue_id, m.agent_id, m.hops, m.imported_by, fitting.candidates
from (
    select message_id, count(*) over () as candidates, sum(size) over (order by seq desc) - size as ahead
    from (
      select message_id, seq, octet_length(body) + octet_length(payload_json) as size
      from messages
      where thread_id = :thread_id and kind <> 'event'
        and from_agent = :from_agent -- if :from_agent
        and seq < :before_seq -- if :before_seq
      order by seq desc
      limit :limit
    ) sized
  ) fitting
  cross join messages m
where m.message_id = fitting.message_id and fitting.ahead < :bytes

--- delivery_in_thread
select 1 as n from deliveries where thread_id = :thread_id and recipient = :recipient limit 1
