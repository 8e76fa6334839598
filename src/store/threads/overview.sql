--- threads_count
select status, count(*) as n from threads where kind = 'work' group by status

--- threads_counted
select count(*) as n
from (select 1 as one from threads where status = :status and kind = 'work'
      order by updated_at limit :most) few

--- messages_counted
select count(*) as n from (select 1 as one from messages limit :most) few

--- events_counted
select count(*) as n from (select 1 as one from events limit :most) few

--- threads_left_lying
-- By the moment of the last word about each, for which there is an index.
select * from threads where status = 'pending' and kind = 'work' order by updated_at, thread_id limit :limit

--- messages_count
select count(*) as n from messages

--- latest_question
select summary, created_at from messages where thread_id = :thread_id and kind = 'question'
order by seq desc limit 1

--- events_count
select count(*) as n from events

--- leases_expiring
select l.* from leases l cross join threads t
where l.released_at is null and t.thread_id = l.thread_id and t.kind = 'work'
order by l.expires_at limit :limit
