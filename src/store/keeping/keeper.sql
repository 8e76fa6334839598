--- log_events
-- The rows are bounded in number and in bytes: their sizes are added up before any text is read.
select e.*
from (
    select event_id, sum(size) over (order by event_id) - size as ahead
    from (
      select e.event_id, octet_length(e.payload_json)
        + coalesce(octet_length(m.body) + octet_length(m.payload_json), 0)
        + coalesce((select sum(octet_length(a.path) + octet_length(a.metadata_json))
          from artifacts a where a.message_id = m.message_id), 0) as size
      from events e left join messages m on m.message_id = e.message_id
      where e.event_id > :after
      order by e.event_id
      limit :limit
    ) sized
  ) fitting
  cross join events e
where e.event_id = fitting.event_id and fitting.ahead < :bytes

--- log_messages
select m.* from events e join messages m on m.message_id = e.message_id
where e.event_id > :after and e.event_id <= :upto

--- log_artifacts
select a.* from events e join artifacts a on a.message_id = e.message_id
where e.event_id > :after and e.event_id <= :upto
order by a.artifact_id

--- log_by_thread
-- Each message has only what replay needs.
select e.*, m.message_id as found_id, m.thread_id as found_in, m.seq, m.from_agent, m.to_agent, m.kind,
       m.in_reply_to
from events e left join messages m on m.message_id = e.message_id
where (e.thread_id, e.event_id) > (:after_thread, :after_event)
order by e.thread_id, e.event_id limit :limit

--- threads_page
select * from threads
where thread_id > :after
  and thread_id <= :upto -- if :upto
order by thread_id limit :limit

--- leases_page
select * from leases
where thread_id > :after
  and thread_id <= :upto -- if :upto
order by thread_id limit :limit

--- reads_page
select * from thread_reads
where (thread_id, agent_id) > (:after_thread, :after_agent)
  and thread_id <= :upto -- if :upto
order by thread_id, agent_id limit :limit

--- deliveries_page
select * from deliveries
where (thread_id, recipient, event_id) > (:after_thread, :after_recipient, :after_event)
  and thread_id <= :upto -- if :upto
order by thread_id, recipient, event_id limit :limit

--- messages_between
select count(*) as n from messages
where thread_id > :after
  and thread_id <= :upto -- if :upto

--- mail_waiting
select d.recipient, count(*) as n, min(d.queued_at) as since
from deliveries d join threads t on t.thread_id = d.thread_id
where d.state = 'queued' and d.queued_at < :before and t.kind = 'mail'
group by d.recipient
order by d.recipient

--- event_after_moment
-- Times in the log are in order: if the last event is not later, no other is read.
select e.* from events e
where (select created_at from events order by event_id desc limit 1) > :moment
  and e.created_at > :moment
order by e.event_id limit 1

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
