--- mailbox_by_time
-- Every message, oldest first, with its state: 4 unread by someone, 3 read, 2 bounced, 1 expired, 0 no recipients. A
-- thread's first message also has the facts of its event. The expression keeps the engines from using the index of
-- all unread deliveries, which has far more rows than one message. The rows are limited in number and in bytes: their
-- sizes are added up before any text is read.
select m.*,
       -- part message_state
       case when m.seq = 1 then (select e.payload_json from events e
         where e.thread_id = m.thread_id order by e.event_id limit 1) end as facts_json
from (
    select message_id, sum(size) over (order by created_at, message_id) - size as ahead
    from (
      select m.message_id, m.created_at,
             octet_length(m.body) + octet_length(m.payload_json) as size
      from messages m
      where m.kind <> 'event' and (m.created_at, m.message_id) > (:after_at, :after_message)
      order by m.created_at, m.message_id
      limit :limit
    ) sized
  ) fitting
  cross join messages m
where m.message_id = fitting.message_id and fitting.ahead < :bytes

--- mailbox_by_event
-- The same messages in log order.
select m.*, e.event_id,
       -- part message_state
       case when m.seq = 1 then e.payload_json end as facts_json
from (
    select event_id, sum(size) over (order by event_id) - size as ahead
    from (
      select e.event_id, octet_length(m.body) + octet_length(m.payload_json)
        + octet_length(e.payload_json) as size
      from events e join messages m on m.message_id = e.message_id
      where e.event_id > :after and m.kind <> 'event'
      order by e.event_id
      limit :limit
    ) sized
  ) fitting
  cross join events e cross join messages m
where e.event_id = fitting.event_id and m.message_id = e.message_id and fitting.ahead < :bytes

--- part message_state
coalesce((select max(case
    when d.state in ('queued', 'presented')
      and (d.expires_at is null or d.expires_at > :now) then 4
    when d.state in ('read', 'acted') then 3
    when d.state = 'bounced' then 2 else 1 end)
  from deliveries d
  where d.thread_id = m.thread_id and d.message_id = m.message_id), 0) as furthest,
