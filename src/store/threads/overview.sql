--- threads_count
select status, count(*) as n from threads group by status

--- threads_oldest_pending
select * from threads where status = 'pending' order by created_at, thread_id limit 1

--- messages_count
select count(*) as n from messages

--- latest_question
select summary, created_at from messages where thread_id = :thread_id and kind = 'question'
order by seq desc limit 1

--- events_count
select count(*) as n from events

--- leases_expiring
select * from leases where released_at is null order by expires_at limit :limit
