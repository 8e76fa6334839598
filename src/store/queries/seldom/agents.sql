--- person_put
insert into people (person_id, added_at) values (:person_id, :added_at)
on conflict (person_id) do nothing

--- agents_unread
-- Less what is overdue, as in one inbox.
select recipient as agent_id, cast(sum(n) as bigint) as n from (
  select recipient, count(*) as n from deliveries
  where state in ('queued', 'presented') and recipient between :first and :last
  group by recipient
  union all
  select recipient, -count(*) as n from deliveries
  where state in ('queued', 'presented') and expires_at is not null and expires_at <= :now
    and recipient between :first and :last
  group by recipient
) counted
group by recipient

--- agents_said
-- What each last said of its progress: the beginning of it.
select m.from_agent as agent_id, m.message_id, m.thread_id, m.summary, substr(m.body, 1, 2000) as body,
       m.created_at, t.kind as thread_kind, t.created_by as thread_by
from agents a join messages m on m.message_id = (
    select s.message_id from messages s
    where s.from_agent = a.agent_id and s.kind = 'progress'
    order by s.created_at desc, s.message_id desc limit 1)
  join threads t on t.thread_id = m.thread_id
where a.agent_id between :first and :last
