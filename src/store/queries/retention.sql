--- mail_prunable
-- Mail that nobody has yet to read and nobody waits over, quietest first; with when it was dealt with.
select t.thread_id, t.message_count, t.updated_at,
       coalesce((select max(coalesce(d.acted_at, d.read_at, d.ended_at, d.queued_at))
         from deliveries d where d.thread_id = t.thread_id), t.updated_at) as settled_at
from threads t
where t.kind = 'mail'
  and t.thread_id = :thread_id -- if :thread_id
  and not exists (select 1 from deliveries d
    where d.thread_id = t.thread_id and d.state in ('queued', 'presented'))
  and not exists (select 1 from messages m join sightings s on s.agent_id = m.from_agent
    where m.thread_id = t.thread_id and s.waiting_until > :now)
order by t.updated_at, t.thread_id
limit :limit

--- mail_totals
select
  (select cast(coalesce(sum(message_count), 0) as bigint) from threads where kind = 'mail')
    as messages,
  (select count(*) from threads where kind = 'mail' and updated_at < :before) as old,
  (select count(distinct d.message_id) from deliveries d join threads t on t.thread_id = d.thread_id
    where d.state in ('queued', 'presented') and t.kind = 'mail') as unread
