--- desk_forget
delete from desk_rows where thread_id = :thread_id

--- desk_empty
delete from desk_rows

--- desk_fill
-- The desk rows derived from the other tables: of one thread, some, or all. A thread needs the people who may decide
-- its request (mayDecide in src/core/requests/request.ts), those who were asked by blocked work, and those whose
-- question in mail no one answered. A thread that a new message brought back from a snooze early counts as woken
-- until that message is read; one that came back on time, until nothing earlier is unread. The latest delivery of a
-- thread is found in one pass over its deliveries, because this runs for every message.
insert into desk_rows (person, thread_id, event_id, at, unread, is_unread, is_notification, workspace_id, created_by, needs, wanted_by, wakes_at, is_woken) -- if :writes
select f.person, f.thread_id, f.event_id, f.at, f.unread, case when f.unread > 0 then 1 else 0 end as is_unread,
       f.is_notification, f.workspace_id, f.created_by, f.needs,
       f.wanted_by,
       case when f.wakes_at <= :now and f.unread = 0 then '' else f.wakes_at end as wakes_at, f.is_woken
from (
  select d.recipient as person, d.thread_id, d.event_id, d.queued_at as at,
         (select count(*) from deliveries u
          where u.thread_id = d.thread_id and u.recipient = d.recipient and unread(u)) as unread,
         case when p.form = 'notification' then 1 else 0 end as is_notification,
         coalesce(p.workspace_id, '') as workspace_id, t.created_by,
         case
           when q.status = 'pending' and q.held_by is null and (
             (q.policy = 'named' and place_in(',' || q.deciders || ',', ',' || d.recipient || ',') > 0)
             or q.policy = 'human_only' or (q.policy <> 'named' and q.requester <> d.recipient)
           ) then 'request'
           when t.kind = 'work' and t.status = 'blocked' and exists (
             select 1 from deliveries o
             where o.thread_id = d.thread_id and o.recipient = d.recipient and o.kind = 'question'
           ) then 'question'
           when t.kind = 'mail' and exists (
             select 1 from deliveries o
             where o.thread_id = d.thread_id and o.recipient = d.recipient and o.kind = 'question'
               and o.state in ('queued', 'presented', 'read')
               and not exists (select 1 from messages a
                 where a.thread_id = o.thread_id and a.seq > o.seq and a.in_reply_to = o.message_id)
           ) then 'question'
           else '' end as needs,
         coalesce(q.expires_at, '9999') as wanted_by,
         case when s.snooze_id is not null and s.ended_at is null and d.seq <= s.upto
           then coalesce(s.until, '9999') else '' end as wakes_at,
         case when s.snooze_id is not null and s.ended_at is null and d.seq > s.upto and exists (
             select 1 from deliveries b
             where b.thread_id = d.thread_id and b.recipient = d.recipient and unread(b)
               and case when coalesce(s.until, '9999') > (
                   select min(n.queued_at) from deliveries n
                   where n.thread_id = d.thread_id and n.recipient = d.recipient and n.seq > s.upto)
                 then b.seq = (select min(n.seq) from deliveries n
                   where n.thread_id = d.thread_id and n.recipient = d.recipient and n.seq > s.upto)
                 else b.seq <= s.upto end
           ) then 1 else 0 end as is_woken
  from (
      select l.recipient, max(l.event_id) as event_id from deliveries l
      where (l.recipient = 'user' or substr(l.recipient, 1, 5) = 'user:')
        and l.thread_id = :thread_id -- if :thread_id
        and l.thread_id > :after -- if :after
        and l.thread_id <= :upto -- if :upto
      group by l.thread_id, l.recipient
    ) latest
    cross join deliveries d cross join threads t
    left join pushes p on p.thread_id = d.thread_id
    left join requests q on q.thread_id = d.thread_id
    left join snoozes s on s.snooze_id = d.recipient || '/' || d.thread_id
  where d.recipient = latest.recipient and d.event_id = latest.event_id
    and t.thread_id = d.thread_id
    and (p.thread_id is null or (p.trashed_at is null and p.deleted_at is null))
) f

--- desk_rows_page
select * from desk_rows
where thread_id > :after
  and thread_id <= :upto -- if :upto

--- snoozes_prunable
-- Snoozes that ended long ago or whose thread is gone, with the number of their events.
select s.snooze_id as row_key, s.events from snoozes s
where (s.ended_at < :before
    or (s.snoozed_at < :before and not exists (select 1 from threads t where t.thread_id = s.thread_id)))
  and s.snooze_id in (:keys...) -- if :keys
order by s.snooze_id
limit :limit
