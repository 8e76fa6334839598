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
-- Agents that were turned off while something was on its way to them.
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
