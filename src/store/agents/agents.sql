--- agents_seen
select a.*, s.seen_at, s.waiting_until,
       (select max(l.expires_at) from leases l
        where l.agent_id = a.agent_id and l.released_at is null) as leased_until,
       (select max(t.began_at) from turns t where t.agent_id = a.agent_id) as turn_at
from agents a left join sightings s on s.agent_id = a.agent_id
where a.agent_id > ''
  and a.agent_id = :agent_id -- if :agent_id
  and a.agent_id = (select t.created_by from threads t where t.thread_id = :creator_of) -- if :creator_of
  and a.role = :role -- if :role
  and a.instance = :instance -- if :instance
  and a.parent_agent_id = :parent -- if :parent
  and a.agent_id > :after -- if :after
order by a.agent_id
limit :limit -- if :limit

--- agents_unseen
select 1 as n from agents a
where a.declared_status is null and a.wake_json = '{}' and a.role = ''
  and not exists (select 1 from sightings s where s.agent_id = a.agent_id)
limit :limit

--- person_get
select * from people where person_id = :person_id

--- sighting_put
insert into sightings (agent_id, seen_at, waiting_until) values (:agent_id, :seen_at, :waiting_until)
on conflict (agent_id) do update
set seen_at = excluded.seen_at, waiting_until = excluded.waiting_until

--- sighting_seen
-- The wait itself notes whether the agent is waiting.
insert into sightings (agent_id, seen_at) values (:agent_id, :seen_at)
on conflict (agent_id) do update set seen_at = excluded.seen_at

--- sighting_call
-- Every twenty seconds is enough, but a call after the agent's last declaration must be noted, and also one after a
-- sighting by a clock that was ahead. The check comes before the write: a conflict would lock the row even if nothing
-- changes.
insert into sightings (agent_id, seen_at)
select :agent_id, :seen_at
where not exists (
  select 1 from sightings s left join agents a on a.agent_id = s.agent_id
  where s.agent_id = :agent_id and s.seen_at > :fresh_before and s.seen_at <= :seen_at
    and s.seen_at > coalesce(a.declared_at, ''))
on conflict (agent_id) do update set seen_at = excluded.seen_at

--- role_turn_lock
-- Inserted if necessary so that there is a row to lock: the second caller waits for the first.
insert into role_turns (role, last_agent) values (:role, '')
on conflict (role) do update set role = excluded.role
returning last_agent

--- role_turn_put
update role_turns set last_agent = :last_agent where role = :role

--- records_lock
-- Only one transaction at a time changes agents, so there is one orchestrator and no cycle of parents.
select 1 as locked /*pg , pg_advisory_xact_lock(7303, hashtext(current_schema())) */

--- agents_known
select a.agent_id, a.declared_status,
       (select w.hops from wakes w where w.agent_id = a.agent_id and w.ended_at is null) as hops
from agents a
where a.agent_id in (:agents...)

--- wake_running
select wake_id, hops from wakes where agent_id = :agent_id and ended_at is null

--- agents_unread
-- Without overdue deliveries, as in a single inbox.
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
-- The start of each agent's latest progress message.
select m.from_agent as agent_id, m.message_id, m.thread_id, m.summary, substr(m.body, 1, 2000) as body,
       m.created_at, t.kind as thread_kind, t.created_by as thread_by
from agents a join messages m on m.message_id = (
    select s.message_id from messages s
    where s.from_agent = a.agent_id and s.kind = 'progress'
    order by s.created_at desc, s.message_id desc limit 1)
  join threads t on t.thread_id = m.thread_id
where a.agent_id between :first and :last
