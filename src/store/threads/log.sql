--- change_sign
-- Every change is an event, but for the clock that tests set.
select max(event_id) as event_id, (select value from settings where name = 'clock') as clock
from events

--- events_after
-- The rows are bounded in number and in bytes, because an event that names everybody is long.
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
