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
-- The log's end, and the moment.
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
