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

--- change_sign
-- Every change is an event, but for the clock that tests set.
select max(event_id) as event_id, (select value from settings where name = 'clock') as clock
from events

--- events_after
select e.* from events e
  join threads t on t.thread_id = e.thread_id -- if :agent
  left join threads o on o.thread_id = e.thread_id -- if :party
where e.event_id > :after
  and e.event_type not in (:without...) -- if :without
  and e.status in (:statuses...) -- if :statuses
  and (t.assigned_to = :agent or t.created_by = :agent) and e.agent <> :agent -- if :agent
  and e.agent <> :party -- if :party
  and (o.assigned_to = :party or o.created_by = :party or exists (select 1 from deliveries d where d.recipient = :party and d.event_id = e.event_id)) -- if :party
order by e.event_id
limit :limit

--- reply_after
select e.event_id, m.* from events e join messages m on m.message_id = e.message_id
where e.thread_id = :thread_id and e.event_id > :after
  and m.from_agent <> :not_from and m.kind in (:kinds...)
order by e.event_id
limit 1

--- reply_artifacts
select * from artifacts
where message_id = (select e.message_id from events e join messages m on m.message_id = e.message_id
  where e.thread_id = :thread_id and e.event_id > :after
    and m.from_agent <> :not_from and m.kind in (:kinds...)
  order by e.event_id
  limit 1)
order by artifact_id

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

--- events_last_of_thread
select coalesce(max(event_id), 0) as event_id, count(*) as n, coalesce(max(created_at), '') as at
from events where thread_id = :thread_id

--- events_delete
delete from events where thread_id = :thread_id

--- key_get
select * from idempotency_keys where agent = :agent and idempotency_key = :idempotency_key

--- key_insert
insert into idempotency_keys (agent, idempotency_key, request_hash, response_json, event_id,
                              created_at)
values (:agent, :idempotency_key, :request_hash, :response_json, :event_id, :created_at)

--- keys_count
select count(*) as n from idempotency_keys where created_at < :before

--- keys_delete
delete from idempotency_keys where created_at < :before

--- setting_get
select value from settings where name = :name

--- setting_put
insert into settings (name, value) values (:name, :value)
on conflict (name) do update set value = excluded.value

--- event_insert_at
insert into events (event_id, run_id, task_id, thread_id, source, event_type, agent, status,
                    message_id, summary, payload_json, created_at)
values (:event_id, :run_id, :task_id, :thread_id, :source, :event_type, :agent, :status,
        :message_id, :summary, :payload_json, :created_at)

--- setting_put_new
insert into settings (name, value) values (:name, :value) on conflict (name) do nothing

--- setting_delete
delete from settings where name = :name
