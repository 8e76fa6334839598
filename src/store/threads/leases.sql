--- lease_get
select * from leases where thread_id = :thread_id

--- lease_put
insert into leases (thread_id, agent_id, lease_token, generation, lease_seconds, claimed_at,
                    expires_at, released_at)
values (:thread_id, :agent_id, :lease_token, :generation, :lease_seconds, :claimed_at,
        :expires_at, :released_at)
on conflict (thread_id) do update
set agent_id = excluded.agent_id, lease_token = excluded.lease_token,
    generation = excluded.generation, lease_seconds = excluded.lease_seconds,
    claimed_at = excluded.claimed_at, expires_at = excluded.expires_at,
    released_at = excluded.released_at
