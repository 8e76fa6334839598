--- message_insert
insert into messages (message_id, thread_id, seq, from_agent, to_agent, kind, summary, body,
                      payload_json, created_at, in_reply_to, issue_id, agent_id, hops,
                      imported_by)
values (:message_id, :thread_id, :seq, :from_agent, :to_agent, :kind, :summary, :body,
        :payload_json, :created_at, :in_reply_to, :issue_id, :agent_id, :hops,
        :imported_by)

--- message_get
select * from messages where message_id = :message_id

--- message_asking
select * from messages where thread_id = :thread_id and kind <> 'event' order by seq limit 1

--- artifacts_asking
select * from artifacts
where message_id = (select message_id from messages
  where thread_id = :thread_id and kind <> 'event' order by seq limit 1)
order by artifact_id

--- messages_of_thread
-- The rows are bounded in number and in bytes: their sizes are added up before any text is read.
select m.*
from (
    select message_id, sum(size) over (order by seq) - size as ahead
    from (
      select m.message_id, m.seq,
        -- part message_size
      from messages m
      where m.thread_id = :thread_id and m.seq > :after
      order by m.seq
      limit :limit
    ) sized
  ) fitting
  cross join messages m
where m.message_id = fitting.message_id and fitting.ahead < :bytes

--- question_open
-- An old answer that doesn't name its question answers all earlier questions.
select q.message_id, q.from_agent
from messages q join threads t on t.thread_id = q.thread_id
where q.thread_id = :thread_id and q.kind = 'question' and q.from_agent <> :by
  and not exists (select 1 from messages a
    where a.thread_id = q.thread_id and a.seq > q.seq and a.kind = 'answer'
      and a.from_agent <> q.from_agent
      and (a.in_reply_to = q.message_id or a.in_reply_to is null))
order by exists (select 1 from deliveries d where d.thread_id = q.thread_id and d.recipient = :by
           and d.message_id = q.message_id and d.state in ('presented', 'read')) desc,
         q.from_agent = t.assigned_to desc, q.seq desc
limit 1

--- messages_by
select 1 as n from messages where thread_id = :thread_id and from_agent = :from_agent limit 1

--- artifact_insert
insert into artifacts (artifact_id, message_id, path, kind, metadata_json, created_at)
values (:artifact_id, :message_id, :path, :kind, :metadata_json, :created_at)

--- artifacts_of_message
select * from artifacts where message_id = :message_id order by artifact_id

--- artifacts_of_thread
select a.*
from messages m join artifacts a on a.message_id = m.message_id
where m.thread_id = :thread_id and m.seq > :after and m.seq <= :upto
order by m.seq, a.artifact_id

--- read_mark_get
select * from thread_reads where thread_id = :thread_id and agent_id = :agent

--- read_mark_put
insert into thread_reads (thread_id, agent_id, last_read_message_id, last_read_seq, last_read_at)
values (:thread_id, :agent_id, :last_read_message_id, :last_read_seq, :last_read_at)
on conflict (thread_id, agent_id) do update
set last_read_message_id = excluded.last_read_message_id,
    last_read_seq = excluded.last_read_seq, last_read_at = excluded.last_read_at

--- part message_size
octet_length(m.body) + octet_length(m.payload_json)
+ coalesce((select sum(octet_length(a.path) + octet_length(a.metadata_json))
  from artifacts a where a.message_id = m.message_id), 0) as size
