--- desk_awake
-- The threads of one page, by place. There is an index of desk_rows in the order of every filter, so the cost depends
-- only on the page.
select thread_id, event_id from desk_rows
where person = :person and wakes_at = ''
  -- part desk_page
order by event_id
  desc -- if :down
limit :limit

--- desk_back
-- Threads whose snooze has expired; they come first, and are few.
select thread_id, event_id, at, unread from desk_rows
where person = :person and wakes_at <> '' and wakes_at <= :now
  -- part desk_page
order by event_id
  desc -- if :down
limit :limit

--- desk_asleep
-- The time is compared as a concatenation, so that the index of places is used.
select thread_id, event_id, at, unread from desk_rows
where person = :person and wakes_at <> '' and wakes_at || '' > :now
  -- part desk_page
order by event_id
  desc -- if :down
limit :limit

--- desk_times
-- When the threads of a part of a desk came, from an index alone.
select event_id, at from desk_rows
where person = :person and wakes_at = ''
  -- part desk_page
order by event_id desc
limit :limit

--- desk_shown
-- These threads as a list shows them; in a search, only those that contain the text.
select r.thread_id, t.kind as thread_kind, t.subject, t.created_by, d.kind as message_kind,
       m.from_agent, m.summary, substr(m.body, 1, 240) as preview, r.at as queued_at, m.imported_by, r.unread,
       (select count(*) from messages f join artifacts a on a.message_id = f.message_id
        where f.thread_id = r.thread_id and f.seq = 1) as documents,
       p.workspace_id, coalesce(w.label, p.workspace_label) as workspace_label, p.form,
       q.request_type, q.risk, q.expires_at as wanted_by, r.needs, r.wakes_at, r.is_woken,
       case when r.wakes_at <> '' and r.wakes_at <= :now then 1 else 0 end as is_back
from desk_rows r cross join threads t cross join deliveries d cross join messages m
  left join pushes p on p.thread_id = r.thread_id
  left join workspaces w on w.workspace_id = p.workspace_id
  left join requests q on q.thread_id = r.thread_id
where r.person = :person and r.thread_id in (:threads...)
  and t.thread_id = r.thread_id
  and d.recipient = :person and d.event_id = r.event_id and m.message_id = d.message_id
  -- if :part (
  and (place_in(lower(t.subject), :part) > 0 or place_in(lower(m.summary), :part) > 0
    or place_in(lower(t.created_by), :part) > 0 or place_in(lower(m.from_agent), :part) > 0
    or place_in(lower(coalesce(w.label, p.workspace_label, '')), :part) > 0
    or place_in(lower(case when octet_length(m.body) <= 8192 then substr(m.body, 1, 240) else '' end), :part) > 0
    or exists (select 1 from messages f join artifacts a on a.message_id = f.message_id
      where f.thread_id = r.thread_id and f.seq = 1 and place_in(lower(a.path), :part) > 0))
  -- )

--- desk_place
select event_id, case when wakes_at <> '' and wakes_at <= :now then 1 else 0 end as is_back from desk_rows
where person = :person and thread_id = :thread_id

--- desk_unread
-- Snoozed threads aren't counted; threads whose snooze has expired are counted separately, also by an index.
select (select count(*) from desk_rows
    where person = :person and is_unread = 1 and is_notification = :is_notification and wakes_at = '')
  + (select count(*) from desk_rows
    where person = :person and wakes_at <> '' and wakes_at <= :now
      and is_notification = :is_notification and is_unread = 1) as n

--- desk_needs
-- Soonest expiry first, then oldest.
select thread_id, event_id from desk_rows
where person = :person and needs <> '' and wakes_at <= :now
  -- part desk_filter
  -- if :after_by (
  and wanted_by >= :after_by and (wanted_by > :after_by or event_id > :after_event)
  -- )
order by wanted_by, event_id
limit :limit

--- desk_needs_place
-- Where a page of what needs a person ended. The thread may have a new message by now, or have been decided.
select coalesce((select q.expires_at from requests q where q.thread_id = d.thread_id), '9999') as wanted_by
from deliveries d
where d.recipient = :person and d.event_id = :event_id

--- desk_needs_count
select needs, count(*) as n, min(wanted_by) as soonest from desk_rows
where person = :person and needs <> '' and wakes_at <= :now
group by needs

--- part desk_filter
and workspace_id = :workspace_id and workspace_id <> '' -- if :workspace_id
and created_by = :from_agent -- if :from_agent
and is_unread = 1 -- if :unread_only

--- part desk_page
and is_notification = :is_notification
and event_id < :before -- if :before
and event_id > :after -- if :after
-- part desk_filter
