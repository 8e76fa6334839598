--- change_sign
-- Every change is an event, except the clock that tests set.
select max(event_id) as event_id, (select value from settings where name = 'clock') as clock
from events

--- events_after
-- The rows are bounded in number and in bytes, because an event that names many recipients is long.
select e.*
from (
    select event_id, sum(size) over (order by event_id) - size as ahead
    from (
      select e.event_id, octet_length(e.payload_json) as size from events e
        join threads t on t.thread_id = e.thread_id -- if :agent
        left join threads o on o.thread_id = e.thread_id -- if :party
      where e.event_id > :after
        and e.event_type not in (:without...) -- if :without
        and e.status in (:statuses...) and exists (select 1 from threads w where w.thread_id = e.thread_id and w.kind = 'work') -- if :statuses
        -- if :agent (
        and (t.assigned_to = :agent or t.created_by = :agent
          or (t.status = 'pending' and t.kind = 'work'
            and t.assigned_to = (select 'role:' || role from agents where agent_id = :agent)))
        and e.agent <> :agent
        -- )
        and e.agent <> :party -- if :party
        and not exists (select 1 from pushes p where p.thread_id = e.thread_id and p.workspace_id <> :pushes_from) -- if :pushes_from
        and (o.assigned_to = :party or o.created_by = :party or exists (select 1 from deliveries d where d.recipient = :party and d.event_id = e.event_id)) -- if :party
      order by e.event_id
      limit :limit
    ) sized
  ) fitting
  cross join events e
where e.event_id = fitting.event_id and fitting.ahead < :bytes

--- event_insert
insert into events (run_id, task_id, thread_id, source, event_type, agent, status, message_id,
                    summary, payload_json, created_at)
values (:run_id, :task_id, :thread_id, :source, :event_type, :agent, :status, :message_id,
        :summary, :payload_json, :created_at)

--- event_last
-- The log's end; it does not move back when the last events are pruned.
select coalesce(max(event_id), 0) as event_id
from (select max(event_id) as event_id from events
      union all
      select cast(value as bigint) from settings where name = 'event_floor') ends

--- log_standing
-- The log's end, and the time.
select coalesce(max(event_id), 0) as event_id, :now as now
from (select max(event_id) as event_id from events
      union all
      select cast(value as bigint) from settings where name = 'event_floor') ends

--- reply_after
select e.event_id, m.*,
       (select count(*) from artifacts a where a.message_id = m.message_id) as artifact_count
from events e join messages m on m.message_id = e.message_id
where e.thread_id = :thread_id and e.event_id > :after
  and m.from_agent <> :not_from and m.kind in (:kinds...)
order by e.event_id
limit 1

--- event_of_message
select event_id from events where thread_id = :thread_id and message_id = :message_id

--- event_last_own
select coalesce(max(e.event_id), 0) as event_id
from events e join messages m on m.message_id = e.message_id
where e.thread_id = :thread_id and m.from_agent = :agent

--- event_claimed_by
select 1 as found from events
where thread_id = :thread_id and event_type = 'thread_claim' and agent = :agent
limit 1

--- key_get
select * from idempotency_keys where agent = :agent and idempotency_key = :idempotency_key

--- key_insert
insert into idempotency_keys (agent, idempotency_key, request_hash, response_json, event_id,
                              created_at)
values (:agent, :idempotency_key, :request_hash, :response_json, :event_id, :created_at)

--- setting_get
select value from settings where name = :name
