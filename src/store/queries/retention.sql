--- mail_prunable
-- Mail that nobody has yet to read or to answer and nobody waits over, quietest first; with when it was
-- dealt with. What was read elsewhere, before it came here, may have been answered there.
select t.thread_id, t.message_count, t.updated_at,
       coalesce((select max(coalesce(d.acted_at, d.read_at, d.ended_at, d.queued_at))
         from deliveries d where d.thread_id = t.thread_id), t.updated_at) as settled_at
from threads t
where t.kind = 'mail'
  and t.thread_id = :thread_id -- if :thread_id
  and not exists (select 1 from deliveries d
    where d.thread_id = t.thread_id and d.state in ('queued', 'presented'))
  and not exists (select 1 from messages q join deliveries d on d.message_id = q.message_id
    where q.thread_id = t.thread_id and d.thread_id = t.thread_id and q.kind = 'question'
      and d.state = 'read' and d.read_by <> 'import'
      and not exists (select 1 from messages a where a.thread_id = t.thread_id
        and a.in_reply_to = q.message_id and a.from_agent <> q.from_agent))
  and not exists (select 1 from messages m join sightings s on s.agent_id = m.from_agent
    where m.thread_id = t.thread_id and s.waiting_until > :now)
order by t.updated_at, t.thread_id
limit :limit

--- agent_events_old
-- Of what happened to agents, what may be of no use any more.
select event_id, event_type, created_at, payload_json from events
where thread_id = '' and event_id > :after and created_at < :before
  and event_type in ('wake_start', 'wake_end', 'agent_declare', 'token_issue', 'token_revoke')
order by event_id
limit :limit

--- tokens_prunable
-- Good for nothing any more, for long; with how many events tell of it.
select token_id, case when revoked_at is null then 1 else 2 end as events from tokens
where coalesce(revoked_at, expires_at, '9999') < :before
  and token_id in (:tokens...) -- if :tokens
order by token_id
limit :limit

--- token_delete
delete from tokens where token_id = :token_id

--- agents_declared
select agent_id, declared_at from agents where agent_id > '' and coalesce(declared_at, '') <> ''

--- wake_delete
delete from wakes where wake_id = :wake_id

--- event_delete
delete from events where event_id = :event_id
