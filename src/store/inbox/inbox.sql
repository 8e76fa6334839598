--- delivery_insert
insert into deliveries (recipient, event_id, message_id, thread_id, seq, kind, state, queued_at,
                        expires_at, read_at, read_by)
values (:recipient, :event_id, :message_id, :thread_id, :seq, :kind, :state, :queued_at,
        :expires_at, :read_at, :read_by)

--- deliveries_present
update deliveries set state = 'presented', presented_at = :at, presented_by = :by
where thread_id = :thread_id and recipient = :recipient and message_id in (:messages...)
  and state = 'queued'

--- deliveries_read
-- A message that was kept unread has been read before, so only its mark is removed.
update deliveries
set read_at = case when state in ('queued', 'presented') then :at else read_at end,
    read_by = case when state in ('queued', 'presented') then :by else read_by end,
    state = case when state in ('queued', 'presented') then 'read' else state end,
    unread_at = null
where thread_id = :thread_id and recipient = :recipient
  and message_id in (:messages...) -- if :messages
  and seq <= :upto -- if :upto
  and (state in ('queued', 'presented') or unread_at is not null)

--- deliveries_act
-- A writer has acted on the messages it was shown, and on the one it answers even if it wasn't shown: given by id, by
-- place, or as the latest question if it was shown none.
update deliveries
set acted_at = case when state = 'acted' then acted_at else :at end,
    acted_by = case when state = 'acted' then acted_by else :by end,
    state = 'acted', unread_at = null
where thread_id = :thread_id and recipient = :recipient
  and (state in ('presented', 'read') or (state = 'acted' and unread_at is not null)
    or (state = 'queued' and message_id in (:messages...)) -- if :messages
    or (state = 'queued' and seq = :seq) -- if :seq
    -- if :question (
    or (state = 'queued' and seq = (
      select case when max(case when q.state in ('presented', 'read') then 1 else 0 end) = 0
        then max(q.seq) end
      from deliveries q
      where q.thread_id = :thread_id and q.recipient = :recipient and q.kind = :question))
    -- )
  )

--- deliveries_act_on
-- In a channel a writer has acted only on the message it answers.
update deliveries
set acted_at = case when state = 'acted' then acted_at else :at end,
    acted_by = case when state = 'acted' then acted_by else :by end,
    state = 'acted', unread_at = null
where thread_id = :thread_id and recipient = :recipient and message_id in (:messages...)
  and (state in ('queued', 'presented', 'read') or (state = 'acted' and unread_at is not null))

--- deliveries_end
update deliveries set state = :state, ended_at = :at, reason = :reason
where thread_id = :thread_id and recipient = :recipient
  and message_id in (:messages...) -- if :messages
  and state in ('queued', 'presented')

--- deliveries_take
-- Removed from a role's queue: the event makes a new delivery for the taker.
delete from deliveries
where thread_id = :thread_id and recipient = :recipient and message_id in (:messages...)
  and state = 'queued'

--- inbox
-- Badge, list, nudge and tool all use this query. An overdue message counts as expired immediately. A person's
-- trashed threads are left out. Texts are long: their sizes decide how many of them are read, and only those are. The
-- join is a cross join because SQLite then begins with its first table.
select d.*, m.from_agent, m.to_agent, m.summary, m.body, m.payload_json, m.created_at,
       m.in_reply_to, m.issue_id, m.agent_id, m.hops, m.imported_by
from (
    select recipient, event_id, message_id, sum(size) over (order by event_id) - size as ahead
    from (
      select d.recipient, d.event_id, d.message_id,
             octet_length(m.body) + octet_length(m.payload_json) as size
      from deliveries d join messages m on m.message_id = d.message_id
      where d.recipient = :recipient and d.event_id > :after
        and d.state in ('queued', 'presented') -- if :agent
        -- if :person (
        and unread_by_person(d)
        -- )
        and (d.expires_at is null or d.expires_at > :now or d.unread_at is not null) -- if :unread
        and d.kind in (:kinds...) -- if :kinds
        -- if :since (
        and ((d.queued_at > :since and d.event_id > :got) or d.state = 'queued')
        -- )
      order by d.event_id
      limit :limit
    ) sized
  ) fitting
  cross join deliveries d cross join messages m
where d.recipient = fitting.recipient and d.event_id = fitting.event_id
  and m.message_id = fitting.message_id and fitting.ahead < :bytes

--- inbox_anchor
-- The first delivery sent at this time or later. Times and ids may disagree by the length of a transaction, so the
-- search goes back slightly past this time, by id, and no further.
select event_id from deliveries
where recipient = :recipient and queued_at >= :since
  and event_id > coalesce((
    select event_id from deliveries where recipient = :recipient and queued_at < :before
    order by event_id desc limit 1), 0)
order by event_id limit 1

--- inbox_got
-- The last one written at exactly this time: a reader that continues there got everything before it.
select max(d.event_id) as event_id
from messages m join deliveries d
  on d.thread_id = m.thread_id and d.recipient = :recipient and d.message_id = m.message_id
where m.created_at = :since and m.kind <> 'event'

--- inbox_count
-- Overdue messages are subtracted instead of filtered out, so that both counts use only an index.
select (select count(*) from deliveries
    where recipient = :recipient and state in ('queued', 'presented'))
  - (select count(*) from deliveries
    where recipient = :recipient and state in ('queued', 'presented')
      and expires_at is not null and expires_at <= :now)
  -- if :person (
  + (select count(*) from deliveries where recipient = :recipient and unread_at is not null)
  - (select count(*) from pushes p cross join deliveries d
    where p.trashed_at is not null and d.thread_id = p.thread_id and d.recipient = :recipient
      and unread(d) and (d.expires_at is null or d.expires_at > :now or d.unread_at is not null))
  -- )
  as n

--- inbox_places
select d.event_id, d.message_id, d.thread_id, d.state, d.expires_at from deliveries d
where d.recipient = :recipient and d.event_id between :first and :last
  and d.state in ('queued', 'presented') -- if :agent
  -- if :person (
  and unread_by_person(d)
  -- )
order by d.event_id

--- inbox_has_control
-- Every call runs this before inbox_stop. It nearly always finds nothing, and SQLite takes about as long to prepare
-- inbox_stop as all other queries of a call together.
select 1 as n from deliveries
where recipient = :recipient and kind = 'control' and state in ('queued', 'presented')
limit 1

--- inbox_stop
-- Mail tells an agent to stop everything, a rejected review to stop its run. On a work thread only the cancellation
-- counts, which is the last message there, addressed to its assignee. Messages that weren't presented yet come first:
-- state by state, so that each part is one walk along the index and ends at the first row.
select * from (
  -- each :states (
  select * from (
    select d.*, m.from_agent, m.to_agent, m.summary, m.body, m.payload_json, m.created_at,
           m.in_reply_to, m.issue_id, m.agent_id, m.hops, m.imported_by,
           case when t.kind = 'work' then 'thread'
             when r.thread_id is not null then 'agent_run' else 'agent' end as about
    from deliveries d join messages m on m.message_id = d.message_id
      join threads t on t.thread_id = d.thread_id
      left join requests r on r.thread_id = d.thread_id and r.decision_message = d.message_id
    where d.recipient = :recipient and d.kind = 'control' and d.state in ('queued', 'presented')
      and d.state = :states.each
      and m.imported_by is null
      and (d.expires_at is null or d.expires_at > :now)
      and (t.kind <> 'work'
        or (t.thread_id = :thread_id and t.status = 'cancelled' and t.assigned_to = d.recipient
          and t.latest_message_id = d.message_id))
    order by d.event_id
    limit 1
  ) part
  -- )
) parts
order by case when state = 'queued' then 0 else 1 end
limit 1

--- inbox_named
-- Messages by id, each with its delivery to this recipient if there is one.
select m.message_id, m.thread_id, d.state
from messages m left join deliveries d
  on d.thread_id = m.thread_id and d.recipient = :recipient and d.message_id = m.message_id
where m.message_id in (:messages...)

--- inbox_left
-- Unread messages in these threads.
select d.event_id, d.message_id, d.thread_id, d.state, d.expires_at from deliveries d
where d.recipient = :recipient and d.thread_id in (:threads...) and unread(d)

--- inbox_heads
-- Unread deliveries without the texts, for callers that move mail without reading it.
select d.*, m.from_agent, m.summary, m.hops
from deliveries d join messages m on m.message_id = d.message_id
where d.recipient = :recipient and d.state in ('queued', 'presented') and d.event_id > :after
  and (d.expires_at is null or d.expires_at > :now)
  and m.from_agent <> :not_from -- if :not_from
order by d.event_id
limit :limit

--- deliveries_of_message
select * from deliveries where thread_id = :thread_id and message_id = :message_id order by recipient

--- deliveries_of_thread
select * from deliveries where thread_id = :thread_id order by event_id, recipient

--- messages_sent_by
-- Callers ask for the state and the title; the start of a long title is enough. But a database reads a whole text to
-- get its start, so sizes limit the number of rows here too.
select m.message_id, m.thread_id, m.seq, m.from_agent, m.to_agent, m.kind, m.summary,
       substr(m.body, 1, 2000) as body,
       case when length(m.payload_json) <= 4000 then m.payload_json else '{}' end as payload_json,
       m.created_at, m.in_reply_to, m.issue_id, m.agent_id, m.hops, m.imported_by, fitting.candidates
from (
    select message_id, count(*) over () as candidates,
           sum(size) over (order by created_at desc, message_id desc) - size as ahead
    from (
      select message_id, created_at, octet_length(body) + octet_length(payload_json) as size
      from messages
      where from_agent = :from_agent and kind <> 'event'
        and (created_at, message_id) < (:before_at, :before_message) -- if :before_at
      order by created_at desc, message_id desc
      limit :limit
    ) sized
  ) fitting
  cross join messages m
where m.message_id = fitting.message_id and fitting.ahead < :bytes

--- messages_said_in
select m.message_id, m.thread_id, m.seq, m.from_agent, m.to_agent, m.kind, m.summary,
       substr(m.body, 1, 2000) as body,
       case when length(m.payload_json) <= 4000 then m.payload_json else '{}' end as payload_json,
       m.created_at, m.in_reply_to, m.issue_id, m.agent_id, m.hops, m.imported_by, fitting.candidates
from (
    select message_id, count(*) over () as candidates, sum(size) over (order by seq desc) - size as ahead
    from (
      select message_id, seq, octet_length(body) + octet_length(payload_json) as size
      from messages
      where thread_id = :thread_id and kind <> 'event'
        and from_agent = :from_agent -- if :from_agent
        and seq < :before_seq -- if :before_seq
      order by seq desc
      limit :limit
    ) sized
  ) fitting
  cross join messages m
where m.message_id = fitting.message_id and fitting.ahead < :bytes

--- delivery_in_thread
select 1 as n from deliveries where thread_id = :thread_id and recipient = :recipient limit 1

--- deliveries_expiring
select * from deliveries
where expires_at is not null and state in ('queued', 'presented') and expires_at <= :now
order by expires_at
limit :limit

--- lease_next_expiry
select l.expires_at from leases l cross join threads t
where l.released_at is null and t.thread_id = l.thread_id and t.kind = 'work'
order by l.expires_at limit 1

--- delivery_next_expiry
select expires_at from deliveries
where expires_at is not null and state in ('queued', 'presented')
order by expires_at limit 1

--- agents_off_with_mail
-- Agents that were turned off while mail was on its way to them.
select a.agent_id from agents a
where a.agent_id > '' and a.declared_status = 'off'
  and exists (select 1 from deliveries d
    where d.recipient = a.agent_id and d.state in ('queued', 'presented'))
order by a.agent_id
limit :limit

--- threads_lock_lapsed
select t.* from leases l join threads t on t.thread_id = l.thread_id
where l.released_at is null and l.expires_at <= :now and t.kind = 'work'
order by l.expires_at
limit :limit /*pg for update of t skip locked */
