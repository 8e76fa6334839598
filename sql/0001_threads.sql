-- Work threads, their messages, leases and read marks, and the one log. One text for both engines:
-- SQLite reads it as it stands; for PostgreSQL the loader turns `integer` into bigint, `text` into
-- text collate "C", `autoincrement` into an identity, and unwraps the pg comments.
-- Times are ISO 8601 UTC text with milliseconds; JSON is text.

create table threads (
  thread_id text primary key,
  run_id text not null,
  task_id text not null,
  subject text not null,
  created_by text not null,
  assigned_to text not null,
  status text not null,
  priority text not null default 'normal',
  -- 0 high, 1 normal, 2 low: what `priority` sorts by.
  priority_rank integer not null default 1,
  latest_message_id text,
  message_count integer not null default 0,
  created_at text not null,
  updated_at text not null
);

create table messages (
  message_id text primary key,
  thread_id text not null,
  -- Position in the thread, from 1. Times can be equal; this cannot.
  seq integer not null,
  from_agent text not null,
  to_agent text not null,
  kind text not null,
  summary text not null,
  body text not null default '',
  payload_json text not null default '{}',
  created_at text not null,
  foreign key (thread_id) references threads (thread_id)
);

-- One row per thread that was ever claimed, never deleted before its thread: the generation must
-- outlive every holder.
create table leases (
  thread_id text primary key,
  agent_id text not null,
  lease_token text not null,
  generation integer not null,
  lease_seconds integer not null,
  claimed_at text not null,
  expires_at text not null,
  released_at text,
  foreign key (thread_id) references threads (thread_id)
);

create table artifacts (
  artifact_id text primary key,
  message_id text not null,
  path text not null,
  kind text not null,
  metadata_json text not null default '{}',
  created_at text not null,
  foreign key (message_id) references messages (message_id)
);

create table thread_reads (
  thread_id text not null,
  agent_id text not null,
  last_read_message_id text not null,
  last_read_seq integer not null,
  last_read_at text not null,
  primary key (thread_id, agent_id),
  foreign key (thread_id) references threads (thread_id),
  foreign key (last_read_message_id) references messages (message_id)
);

create table events (
  event_id integer primary key autoincrement,
  run_id text not null,
  task_id text not null,
  thread_id text not null,
  source text not null,
  event_type text not null,
  -- Who did it, and the thread's status after it: what waits filter by.
  agent text not null,
  status text not null,
  message_id text,
  summary text not null default '',
  payload_json text not null default '{}',
  created_at text not null
);

create table idempotency_keys (
  agent text not null,
  idempotency_key text not null,
  request_hash text not null,
  response_json text not null,
  event_id integer not null,
  created_at text not null,
  primary key (agent, idempotency_key)
);

-- `event_floor`: highest pruned event id. `clock_floor`: no transaction reads a moment before it.
-- `clock`: set only by tests, the store's time as a value.
create table settings (
  name text primary key,
  value text not null
);

-- The last column is only filtered by: a list by both agents then skips rows without reading them.
create index idx_threads_status_assigned on threads (status, assigned_to, updated_at, created_by);
create index idx_threads_status_updated on threads (status, updated_at);
create index idx_threads_creator on threads (created_by, status, updated_at, assigned_to);
-- The order of fetch and claim, for every status: fetch may be asked for any of them.
create index idx_threads_fetch on threads (status, assigned_to, priority_rank, created_at, thread_id);
create index idx_messages_thread_created on messages (thread_id, created_at);
create unique index idx_messages_thread_seq on messages (thread_id, seq);
create index idx_artifacts_message on artifacts (message_id);
create index idx_leases_agent_expiry on leases (agent_id, expires_at) where released_at is null;
create index idx_leases_expiry on leases (expires_at) where released_at is null;
create index idx_thread_reads_agent on thread_reads (agent_id, last_read_at);
-- For its foreign key: without it every message that prune deletes would read all read marks.
create index idx_thread_reads_message on thread_reads (last_read_message_id);
create index idx_events_thread_event on events (thread_id, event_id);
create index idx_keys_created on idempotency_keys (created_at);

/*pg
create function store_now() returns text language sql volatile as $$
  select coalesce(
    (select value from settings where name = 'clock'),
    to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;

-- PostgreSQL hands out ids before commit, so a reader's cursor could step over a slow writer. Here
-- ids are handed out under a lock held to the end of the transaction: id order is commit order. It
-- is called last, in the same write as the commit, so the lock never waits for a client. The lock
-- is a statement of its own because the insert must get its snapshot and its id after it.
create function append_events(batch text, idempotency text) returns bigint language plpgsql as $$
declare
  e json;
  k json := idempotency::json;
  last_id bigint;
begin
  perform pg_advisory_xact_lock(7301, hashtext(current_schema()));
  for e in select value from json_array_elements(batch::json) loop
    insert into events (run_id, task_id, thread_id, source, event_type, agent, status,
                        message_id, summary, payload_json, created_at)
    values (e->>'run_id', e->>'task_id', e->>'thread_id', e->>'source', e->>'event_type',
            e->>'agent', e->>'status', e->>'message_id', e->>'summary', e->>'payload_json',
            e->>'created_at')
    returning event_id into last_id;
  end loop;
  if last_id is null then
    select coalesce(max(event_id), 0) into last_id
    from (select max(event_id) as event_id from events
          union all
          select value::bigint from settings where name = 'event_floor') ends;
  end if;
  insert into idempotency_keys (agent, idempotency_key, request_hash, response_json, event_id,
                                created_at)
  values (k->>'agent', k->>'idempotency_key', k->>'request_hash', k->>'response_json', last_id,
          store_now());
  return last_id;
end $$;
*/
