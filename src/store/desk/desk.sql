--- desk_list
-- The latest delivery of each thread, newest first. From the newest on, each is asked whether a later one is in the
-- same thread: so the cost is that of the page, however much was ever delivered. The joins are crossed because SQLite
-- then begins with the first table.
select d.thread_id, t.kind as thread_kind, t.subject, t.created_by, d.event_id, d.kind as message_kind,
       m.from_agent, m.summary, substr(m.body, 1, 240) as preview, d.queued_at, m.imported_by,
       (select count(*) from deliveries r
        where r.thread_id = d.thread_id and r.recipient = :recipient and unread(r)) as unread,
       (select count(*) from messages f join artifacts a on a.message_id = f.message_id
        where f.thread_id = d.thread_id and f.seq = 1) as documents,
       p.workspace_id, coalesce(w.label, p.workspace_label) as workspace_label, p.form
from deliveries d cross join threads t cross join messages m
  left join pushes p on p.thread_id = d.thread_id
  left join workspaces w on w.workspace_id = p.workspace_id
where d.recipient = :recipient
  and d.event_id < :before -- if :before
  and t.thread_id = d.thread_id and m.message_id = d.message_id
  and not exists (select 1 from deliveries later
    where later.thread_id = d.thread_id and later.recipient = :recipient and later.event_id > d.event_id)
  and (p.thread_id is null or (p.trashed_at is null and p.deleted_at is null))
  and p.form = 'notification' -- if :notifications
  and coalesce(p.form, '') <> 'notification' -- if :others
  and p.workspace_id = :workspace_id -- if :workspace_id
  and t.created_by = :from_agent -- if :from_agent
  -- if :unread_only (
  and exists (select 1 from deliveries r
    where r.thread_id = d.thread_id and r.recipient = :recipient and unread(r))
  -- )
order by d.event_id desc
limit :limit

--- desk_unread
select count(distinct d.thread_id) as n
from deliveries d left join pushes p on p.thread_id = d.thread_id
where d.recipient = :recipient and unread_by_person(d)
  and p.form = 'notification' -- if :notifications
  and coalesce(p.form, '') <> 'notification' -- if :others
