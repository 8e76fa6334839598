--- desk_list
-- The latest delivery of each thread. From one end on, each is asked whether a later one is in the same thread: so the
-- cost is that of the page, however much was ever delivered. The joins are crossed because SQLite then begins with the
-- first table, and + 0 keeps it from going through all later deliveries: those of the thread are few.
select d.thread_id, t.kind as thread_kind, t.subject, t.created_by, d.event_id, d.kind as message_kind,
       m.from_agent, m.summary, substr(m.body, 1, 240) as preview, d.queued_at, m.imported_by,
       (select count(*) from deliveries r
        where r.thread_id = d.thread_id and r.recipient = :recipient and unread(r)) as unread,
       (select count(*) from messages f join artifacts a on a.message_id = f.message_id
        where f.thread_id = d.thread_id and f.seq = 1) as documents,
       p.workspace_id, coalesce(w.label, p.workspace_label) as workspace_label, p.form,
       q.request_type, q.risk, q.expires_at as wanted_by,
       case when q.status = 'pending' and q.held_by is null and (
           (q.policy = 'named' and place_in(',' || q.deciders || ',', ',' || :recipient || ',') > 0)
           or q.policy = 'human_only' or (q.policy <> 'named' and q.requester <> :recipient)
         ) then 'request'
         when t.kind = 'work' and t.status = 'blocked' and exists (select 1 from deliveries o
           where o.thread_id = d.thread_id and o.recipient = :recipient and o.kind = 'question'
         ) then 'question'
         when t.kind = 'mail' and exists (select 1 from deliveries o
           where o.thread_id = d.thread_id and o.recipient = :recipient and o.kind = 'question'
             and o.state in ('queued', 'presented', 'read')
             and not exists (select 1 from messages a
               where a.thread_id = o.thread_id and a.seq > o.seq and a.in_reply_to = o.message_id)
         ) then 'question'
         else '' end as needs
from deliveries d cross join threads t cross join messages m
  left join pushes p on p.thread_id = d.thread_id
  left join workspaces w on w.workspace_id = p.workspace_id
  left join requests q on q.thread_id = d.thread_id
where d.recipient = :recipient
  and d.event_id < :before -- if :before
  and d.event_id > :after -- if :after
  and d.thread_id in (:threads...) -- if :threads
  and t.thread_id = d.thread_id and m.message_id = d.message_id
  and not exists (select 1 from deliveries later
    where later.thread_id = d.thread_id and later.recipient = :recipient and later.event_id + 0 > d.event_id)
  and (p.thread_id is null or (p.trashed_at is null and p.deleted_at is null))
  and p.form = 'notification' -- if :notifications
  and coalesce(p.form, '') <> 'notification' -- if :others
  and p.workspace_id = :workspace_id -- if :workspace_id
  and t.created_by = :from_agent -- if :from_agent
  -- if :unread_only (
  and exists (select 1 from deliveries r
    where r.thread_id = d.thread_id and r.recipient = :recipient and unread(r))
  -- )
  -- if :part (
  and (place_in(lower(t.subject), :part) > 0 or place_in(lower(m.summary), :part) > 0
    or place_in(lower(t.created_by), :part) > 0 or place_in(lower(m.from_agent), :part) > 0
    or place_in(lower(coalesce(w.label, p.workspace_label, '')), :part) > 0
    or place_in(lower(case when octet_length(m.body) <= 8192 then substr(m.body, 1, 240) else '' end), :part) > 0
    or exists (select 1 from messages f join artifacts a on a.message_id = f.message_id
      where f.thread_id = d.thread_id and f.seq = 1 and place_in(lower(a.path), :part) > 0))
  -- )
order by d.event_id
  desc -- if :down
limit :limit

--- desk_bottom
-- The place up to which so many deliveries are looked at; none where fewer are left.
select event_id from deliveries
where recipient = :recipient
  and event_id < :before -- if :before
order by event_id desc
limit 1 offset :beyond

--- desk_place
-- The place of a thread on a desk.
select max(event_id) as event_id from deliveries
where thread_id = :thread_id and recipient = :recipient

--- desk_unread
select count(distinct d.thread_id) as n
from deliveries d left join pushes p on p.thread_id = d.thread_id
where d.recipient = :recipient and unread_by_person(d)
  and p.form = 'notification' -- if :notifications
  and coalesce(p.form, '') <> 'notification' -- if :others

--- desk_needs
-- Threads that want this person: what they may decide, and what they were asked and nobody answered.
select n.thread_id, n.needs, n.wanted_by, (select max(l.event_id) from deliveries l
    where l.thread_id = n.thread_id and l.recipient = :recipient) as event_id
from (
  select q.thread_id, 'request' as needs, q.expires_at as wanted_by from requests q
  where q.status = 'pending' and q.held_by is null and (
      (q.policy = 'named' and place_in(',' || q.deciders || ',', ',' || :recipient || ',') > 0)
      or q.policy = 'human_only' or (q.policy <> 'named' and q.requester <> :recipient))
    and exists (select 1 from deliveries d
      where d.thread_id = q.thread_id and d.recipient = :recipient)
  union all
  select distinct o.thread_id, 'question' as needs, null as wanted_by
  from deliveries o join threads t on t.thread_id = o.thread_id
  where o.recipient = :recipient and o.kind = 'question'
    and ((t.kind = 'work' and t.status = 'blocked')
      or (t.kind = 'mail' and o.state in ('queued', 'presented', 'read')
        and not exists (select 1 from messages a
          where a.thread_id = o.thread_id and a.seq > o.seq and a.in_reply_to = o.message_id)))
) n
