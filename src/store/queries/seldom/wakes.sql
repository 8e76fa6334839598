--- wake_get
select * from wakes where wake_id = :wake_id

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
-- What happened to agents and not to threads.
select payload_json from events where event_id > :after and thread_id = '' order by event_id
