--- delivery_insert
insert into deliveries (recipient, event_id, message_id, thread_id, seq, kind, state, queued_at,
                        expires_at)
values (:recipient, :event_id, :message_id, :thread_id, :seq, :kind, :state, :queued_at,
        :expires_at)

--- deliveries_present
update deliveries set state = 'presented', presented_at = :at, presented_by = :by
where thread_id = :thread_id and recipient = :recipient and message_id in (:messages...)
  and state = 'queued'

--- deliveries_read
update deliveries set state = 'read', read_at = :at, read_by = :by
where thread_id = :thread_id and recipient = :recipient
  and message_id in (:messages...) -- if :messages
  and seq <= :upto -- if :upto
  and state in ('queued', 'presented')

--- deliveries_act
update deliveries set state = 'acted', acted_at = :at, acted_by = :by
where thread_id = :thread_id and recipient = :recipient
  and state in ('queued', 'presented', 'read')

--- deliveries_end
update deliveries set state = :state, ended_at = :at, reason = :reason
where thread_id = :thread_id and recipient = :recipient
  and message_id in (:messages...) -- if :messages
  and state in ('queued', 'presented')

--- deliveries_take
update deliveries set recipient = :recipient
where thread_id = :thread_id and recipient = :from and message_id in (:messages...)
  and state = 'queued'

--- deliveries_delete
delete from deliveries where thread_id = :thread_id

--- inbox_unread
-- What badge, list, nudge and tool all ask.
select d.*, m.from_agent, m.to_agent, m.summary, m.body, m.payload_json, m.created_at,
       m.in_reply_to, m.issue_id, m.agent_id, m.hops
from deliveries d join messages m on m.message_id = d.message_id
where d.recipient = :recipient and d.state in ('queued', 'presented') and d.event_id > :after
  and d.kind in (:kinds...) -- if :kinds
  -- if :since (
  and (d.queued_at > :since or (d.queued_at = :since and d.state = 'queued'))
  -- )
order by d.event_id
limit :limit

--- inbox_all
select d.*, m.from_agent, m.to_agent, m.summary, m.body, m.payload_json, m.created_at,
       m.in_reply_to, m.issue_id, m.agent_id, m.hops
from deliveries d join messages m on m.message_id = d.message_id
where d.recipient = :recipient and d.event_id > :after
  and d.kind in (:kinds...) -- if :kinds
  and d.queued_at >= :since -- if :since
order by d.event_id
limit :limit

--- inbox_count
select count(*) as n from deliveries
where recipient = :recipient and state in ('queued', 'presented')

--- inbox_control
select * from deliveries
where recipient = :recipient and kind = 'control' and state in ('queued', 'presented')
order by event_id
limit 1

--- deliveries_of_message
select * from deliveries where thread_id = :thread_id and message_id = :message_id order by recipient

--- deliveries_of_thread
select * from deliveries where thread_id = :thread_id order by event_id, recipient

--- deliveries_expiring
select * from deliveries
where expires_at is not null and state in ('queued', 'presented') and expires_at <= :now
order by expires_at
limit :limit

--- deliveries_page
select * from deliveries
where (recipient, event_id) > (:after_recipient, :after_event)
order by recipient, event_id limit :limit
