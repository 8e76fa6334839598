--- mailbox_by_time
-- Everything that was said, oldest first, and whether somebody has yet to read it.
select m.*, e.event_id,
       case when exists (select 1 from deliveries d
         where d.thread_id = m.thread_id and d.message_id = m.message_id
           and d.state in ('queued', 'presented')) then 1 else 0 end as unread
from messages m join events e on e.thread_id = m.thread_id and e.message_id = m.message_id
where m.kind <> 'event' and m.created_at >= :after_at
  and (m.created_at > :after_at or e.event_id > :after_event)
order by m.created_at, e.event_id
limit :limit

--- mailbox_by_event
-- The same in the order of the log.
select m.*, e.event_id,
       case when exists (select 1 from deliveries d
         where d.thread_id = m.thread_id and d.message_id = m.message_id
           and d.state in ('queued', 'presented')) then 1 else 0 end as unread
from events e join messages m on m.message_id = e.message_id
where e.event_id > :after and m.kind <> 'event'
order by e.event_id
limit :limit
