--- history_window
-- How far back one look goes: the oldest of so many events.
select min(event_id) as event_id from (
  select event_id from events
  where event_id < :before
    and thread_id = :thread_id -- if :thread_id
  order by event_id desc limit :scan
) looked

--- history_page
-- The rows are bounded in number and in bytes: their sizes are added up before any text is read.
select fitting.event_id, m.*
from (
    select event_id, message_id, sum(size) over (order by event_id desc) - size as ahead
    from (
      select e.event_id, m.message_id, octet_length(m.body) + octet_length(m.payload_json) as size
      from events e join messages m on m.message_id = e.message_id
      where e.event_id < :before and e.event_id >= :bottom
        and e.thread_id = :thread_id -- if :thread_id
        and m.kind <> 'event'
        and m.kind in (:kinds...) -- if :kinds
        and e.event_id > :after -- if :after
        and m.created_at >= :since -- if :since
        and m.created_at <= :until -- if :until
        -- if :party (
        and (m.from_agent = :party or m.to_agent = :party or exists (
          select 1 from deliveries d where d.thread_id = m.thread_id and d.recipient = :party
            and d.message_id = m.message_id))
        -- )
        -- if :reader (
        and (m.from_agent = :reader or m.to_agent = :reader or exists (
          select 1 from deliveries d where d.thread_id = m.thread_id and d.recipient = :reader
            and d.message_id = m.message_id))
        -- )
        -- if :pattern (
        and (lower(m.summary) like :pattern escape '~' or lower(m.body) like :pattern escape '~')
        -- )
      order by e.event_id desc
      limit :limit
    ) sized
  ) fitting
  cross join messages m
where m.message_id = fitting.message_id and fitting.ahead < :bytes
