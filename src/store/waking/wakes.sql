--- wakes_open
select * from wakes where ended_at is null order by expires_at limit :limit

--- wakes_list
select * from wakes
where started_at > ''
  and agent_id = :agent_id -- if :agent_id
order by started_at desc, wake_id desc
limit :limit

--- agents_mailed
-- Agents that can be woken and have unread mail after this event.
select a.agent_id from agents a
where a.wake_json <> '{}' and exists (
  select 1 from deliveries d
  where d.recipient = a.agent_id and d.event_id > :after and d.state in ('queued', 'presented')
    and (d.expires_at is null or d.expires_at > :now))

--- agent_events
-- Events of agents, which belong to no thread.
select payload_json from events where event_id > :after and thread_id = '' order by event_id

--- wake_keep
update wakes set state = 'running', expires_at = :expires_at
where wake_id = :wake_id and coalesce(ended_at, '') = ''

--- wake_open
select * from wakes where agent_id = :agent_id and ended_at is null

--- wake_last
-- Skips wakes from a clock that was ahead: such a wake would stay the latest until the clock gets there.
select * from wakes where agent_id = :agent_id and started_at <= :now
  and cause = :cause -- if :cause
order by started_at desc, wake_id desc limit 1

--- wake_handed
-- By position in the log, because the clock may go back: a good turn gets everything that earlier ones got.
select max(upto_event) as handed from wakes where agent_id = :agent_id and state = 'ended'

--- wake_starts
select count(*) as starts, min(started_at) as first_start from wakes
where agent_id = :agent_id and started_at > :since and started_at <= :now

--- wake_mail
-- Mail that may wake an agent: unread, and newer than what its last good turn got.
select d.event_id, d.kind, d.presented_at, d.presented_by, m.from_agent, m.hops, m.imported_by,
       a.agent_run_id, a.status as agent_run_status
from deliveries d join messages m on m.message_id = d.message_id
  left join events e on e.event_id = d.event_id
  -- A comment doesn't decide anything.
  left join requests r on r.thread_id = d.thread_id and r.entity_type = 'agent_workspace_run'
    and e.event_type <> 'request_comment'
  left join agent_runs a on a.agent_run_id = r.entity_id
where d.recipient = :agent_id and d.state in ('queued', 'presented') and d.event_id > :after
  and (d.expires_at is null or d.expires_at > :now)
  and d.kind not in ('progress', 'event')
order by d.event_id
limit :limit

--- wake_took
-- When an agent last took or read mail on its own, judging by its latest mail.
select case when presented_at <= :now then presented_at end as presented_at, presented_by,
       case when read_at <= :now then read_at end as read_at from deliveries
where recipient = :agent_id
order by event_id desc
limit 100

--- waits_until
select waiting_until as until from sightings where agent_id = :agent_id

--- wakes_prunable
-- Wakes that ended long ago, except those the broker needs: the last of each cause and the good turn that got the
-- latest mail. Each has two events.
select w.wake_id as row_key, 2 as events from wakes w
where w.started_at < :before and coalesce(w.ended_at, :before) < :before
  and w.wake_id in (:keys...) -- if :keys
  and exists (select 1 from wakes n
    where n.agent_id = w.agent_id and n.state = w.state and n.cause = w.cause
      and (w.state <> 'ended' or n.upto_event >= w.upto_event)
      and (n.started_at > w.started_at or (n.started_at = w.started_at and n.wake_id > w.wake_id)))
order by w.started_at
limit :limit
