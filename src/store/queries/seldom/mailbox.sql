--- mailbox_by_time
-- Everything that was said, oldest first, and whether somebody has yet to read it. Asked so that the
-- index of all that is unread is of no use: it holds far more than one message's.
select m.*, coalesce((select max(case when d.state in ('queued', 'presented') then 1 else 0 end)
         from deliveries d
         where d.thread_id = m.thread_id and d.message_id = m.message_id), 0) as unread
from messages m
where m.kind <> 'event' and (m.created_at, m.message_id) > (:after_at, :after_message)
order by m.created_at, m.message_id
limit :limit

--- mailbox_by_event
-- The same in the order of the log.
select m.*, e.event_id,
       coalesce((select max(case when d.state in ('queued', 'presented') then 1 else 0 end)
         from deliveries d
         where d.thread_id = m.thread_id and d.message_id = m.message_id), 0) as unread
from events e join messages m on m.message_id = e.message_id
where e.event_id > :after and m.kind <> 'event'
order by e.event_id
limit :limit
