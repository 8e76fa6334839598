--- pushes_list
-- Newest first. If times are equal, the order of deliveries in the log decides: every push was sent to its owner. A
-- cross join makes SQLite begin with the first table; otherwise it would read everything ever sent. The rows are
-- bounded in number and in bytes: their sizes are added up before any text is read.
select p.*, fitting.event_id, m.message_id, m.from_agent, m.summary, m.body, m.payload_json, m.imported_by,
       t.message_count, t.status,
       (select count(*) from deliveries r
        where r.thread_id = p.thread_id and r.recipient = :reader
          and unread(r)) as unread
from (
    select thread_id, event_id, message_id,
           sum(size) over (order by created_at desc, event_id desc) - size as ahead
    from (
      select p.thread_id, p.created_at, d.event_id, m.message_id,
             -- part message_size
      from pushes p cross join threads t cross join deliveries d cross join messages m
      where t.thread_id = p.thread_id
        and d.thread_id = p.thread_id and d.recipient = 'user' and d.seq = 1
        and m.thread_id = p.thread_id and m.seq = 1
        and p.deleted_at is null
        and p.thread_id = :thread_id -- if :thread_id
        and p.trashed_at is null -- if :open
        and p.trashed_at is not null -- if :trashed
        and p.workspace_id = :workspace_id -- if :workspace_id
        and p.form = :form -- if :form
        and m.from_agent = :from_agent -- if :from_agent
        -- if :unread_only (
        and exists (select 1 from deliveries r
          where r.thread_id = p.thread_id and r.recipient = :reader
            and unread(r))
        -- )
        -- if :before_at (
        and p.created_at <= :before_at and (p.created_at < :before_at or d.event_id < :before_event)
        -- )
      order by p.created_at desc, d.event_id desc
      limit :limit
    ) sized
  ) fitting
  cross join pushes p cross join threads t cross join messages m
where p.thread_id = fitting.thread_id and t.thread_id = fitting.thread_id
  and m.message_id = fitting.message_id and fitting.ahead < :bytes

--- push_place
select p.created_at, d.event_id
from pushes p
  left join deliveries d on d.thread_id = p.thread_id and d.recipient = 'user' and d.seq = 1
where p.thread_id = :thread_id

--- pushes_artifacts
select a.* from artifacts a where a.message_id in (:messages...)

--- pushes_unread
-- The badge and the list use the same condition.
select count(distinct p.thread_id) as n
from deliveries r join pushes p on p.thread_id = r.thread_id
where r.recipient = :recipient and unread_by_person(r) and p.deleted_at is null
  and p.form = :form -- if :form
  and p.workspace_id = :workspace_id -- if :workspace_id

--- pushes_trashed
select count(*) as n from pushes p
where p.trashed_at is not null and p.deleted_at is null
  and p.workspace_id = :workspace_id -- if :workspace_id
  -- if :from_agent (
  and exists (select 1 from messages m
    where m.thread_id = p.thread_id and m.seq = 1 and m.from_agent = :from_agent)
  -- )

--- entries_page
-- Pushes and deletions of pushes, in log order.
select e.event_id, e.event_type, p.*, m.message_id, m.from_agent, m.body, m.payload_json
from (
    select event_id, sum(size) over (order by event_id) - size as ahead
    from (
      select e.event_id,
        -- part message_size
      from events e
        join pushes p on p.thread_id = e.thread_id
        join messages m on m.thread_id = e.thread_id and m.seq = 1
      where e.event_id > :after and e.event_type in ('push_send', 'push_delete')
      order by e.event_id
      limit :limit
    ) sized
  ) fitting
  cross join events e cross join pushes p cross join messages m
where e.event_id = fitting.event_id and p.thread_id = e.thread_id
  and m.thread_id = e.thread_id and m.seq = 1 and fitting.ahead < :bytes

--- people_all
select person_id from people order by person_id

--- deliveries_keep_unread
update deliveries set unread_at = coalesce(unread_at, :at)
where thread_id = :thread_id and recipient = :recipient and message_id in (:messages...)
  and state in ('read', 'acted')

--- deliveries_remove
delete from deliveries where thread_id = :thread_id and recipient = :recipient

--- pushes_prunable
-- Trashed or deleted before then, and read by everyone.
select t.* from pushes p join threads t on t.thread_id = p.thread_id
where coalesce(p.deleted_at, p.trashed_at) < :before
  and (p.trashed_at is not null or p.deleted_at is not null)
  and p.thread_id = :thread_id -- if :thread_id
  and not exists (select 1 from deliveries d
    where d.thread_id = p.thread_id
      and unread(d))
order by coalesce(p.deleted_at, p.trashed_at), p.thread_id
limit :limit

--- sighting_turn
insert into turns (agent_id, session, backend, folder, began_at)
values (:agent_id, :session, :backend, :folder, :began_at)
on conflict (agent_id, session) do update
set backend = excluded.backend, folder = excluded.folder, began_at = excluded.began_at

--- sighting_turn_over
delete from turns where agent_id = :agent_id and (session = :session or began_at < :before)

--- turns_of
select session, backend, folder, began_at from turns where agent_id = :agent_id
