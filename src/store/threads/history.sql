--- history_window
-- How far back one look goes: the oldest of this many events.
select min(event_id) as event_id from (
  select event_id from events
  where event_id < :before
    and thread_id = :thread_id -- if :thread_id
  order by event_id desc limit :most
) looked

--- history_candidates
-- The messages one look may have to read, with their sizes. Doesn't read the texts, or any column stored after them:
-- to get there, SQLite goes through all of the text.
select e.event_id, octet_length(m.summary) + octet_length(m.body) + octet_length(m.payload_json) as size
-- part history_scope
order by e.event_id desc

--- history_messages
select e.event_id, m.*
-- part history_match

--- history_place
-- The event of a message.
select e.event_id from messages m join events e on e.thread_id = m.thread_id and e.message_id = m.message_id
where m.message_id = :message_id

--- history_kinds
-- How many messages of each kind one look finds, without their texts.
select m.kind, count(*) as count
-- part history_scope
group by m.kind

--- history_matching
select m.kind, count(*) as count
-- part history_match
group by m.kind

--- part history_scope
-- What one look examines, regardless of the texts.
from events e join messages m on m.message_id = e.message_id
where e.event_id < :before and e.event_id >= :bottom
  and e.thread_id = :thread_id -- if :thread_id
  and m.kind <> 'event'
  and m.kind in (:kinds...) -- if :kinds
  and e.event_id > :after -- if :after
  and m.from_agent = :sent_by -- if :sent_by
  -- if :got_by (
  and (m.to_agent = :got_by or exists (
    select 1 from deliveries d where d.thread_id = m.thread_id and d.recipient = :got_by
      and d.message_id = m.message_id))
  -- )
  and (select p.workspace_id from pushes p where p.thread_id = m.thread_id) = :workspace_id -- if :workspace_id
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

--- part history_match
from events e join messages m on m.message_id = e.message_id
where e.event_id in (:events...)
  and m.created_at >= :since -- if :since
  and m.created_at <= :until -- if :until
  -- if :part (
  and (place_in(lower(m.summary), :part) > 0 or place_in(lower(m.body), :part) > 0)
  -- )
