-- breaking: an older program would write messages that reach nobody.
-- Agents, people, and deliveries: one row for each recipient of a message, with what is known of its
-- way. Plus what the wake broker keeps.

alter table threads add column kind text /*pg collate "C" */ not null default 'work';
alter table messages add column in_reply_to text /*pg collate "C" */;
alter table messages add column issue_id text /*pg collate "C" */;
-- The agent a message is about, where that is not who wrote it.
alter table messages add column agent_id text /*pg collate "C" */;
-- How many wakes lie between a person's words and this message.
alter table messages add column hops integer not null default 0;

create table agents (
  -- Its name; `name@instance` inside a workflow.
  agent_id text primary key,
  role text not null default '',
  instance text not null default '',
  parent_agent_id text,
  paired_person text,
  source text not null default 'agent',
  -- What was last said of it. Null: nobody said anything, and only evidence tells.
  declared_status text,
  declared_at text,
  may_write_to_user integer not null default 0,
  wake_json text not null default '{}',
  registered_at text not null,
  updated_at text not null
);

create table people (
  person_id text primary key,
  added_at text not null
);

-- Evidence that an agent is alive, outside the log: it is true for a moment and proves nothing later.
create table sightings (
  agent_id text primary key,
  seen_at text not null,
  waiting_until text not null default ''
);

-- Whose turn it was last.
create table role_turns (
  role text primary key,
  last_agent text not null
);

-- `recipient` is an agent, a person (`user`, `user:name`) or, while nobody is there, `role:name`.
create table deliveries (
  recipient text not null,
  -- The event that sent it: the inbox's order and its cursor.
  event_id integer not null,
  message_id text not null,
  thread_id text not null,
  seq integer not null,
  kind text not null,
  state text not null,
  queued_at text not null,
  presented_at text,
  presented_by text,
  read_at text,
  read_by text,
  acted_at text,
  acted_by text,
  ended_at text,
  reason text,
  expires_at text,
  primary key (recipient, event_id)
);

create table wakes (
  wake_id text primary key,
  agent_id text not null,
  state text not null,
  cause text not null,
  -- Mail up to this event was handed over.
  upto_event integer not null,
  attempt integer not null,
  hops integer not null,
  token text not null,
  started_at text not null,
  -- While it runs: whoever keeps it alive has until then.
  expires_at text not null,
  ended_at text,
  exit_code integer,
  reason text not null default '',
  -- The end of what it wrote to standard error.
  stderr text not null default ''
);

create index idx_agents_role on agents (role, agent_id);
create index idx_agents_instance on agents (instance, agent_id);
create index idx_agents_parent on agents (parent_agent_id, agent_id);
create index idx_agents_woken on agents (agent_id) where wake_json <> '{}';
create index idx_deliveries_unread on deliveries (recipient, event_id)
  where state in ('queued', 'presented');
create index idx_deliveries_control on deliveries (recipient, event_id)
  where kind = 'control' and state in ('queued', 'presented');
create index idx_deliveries_expiry on deliveries (expires_at)
  where expires_at is not null and state in ('queued', 'presented');
create index idx_deliveries_thread on deliveries (thread_id, recipient);
create index idx_messages_sent on messages (from_agent, created_at, message_id)
  where kind <> 'event';
create index idx_messages_progress on messages (from_agent, created_at, message_id)
  where kind = 'progress';
create index idx_messages_time on messages (created_at, message_id) where kind <> 'event';
create index idx_threads_mail on threads (updated_at, thread_id) where kind = 'mail';
create unique index idx_wakes_running on wakes (agent_id) where ended_at is null;
create index idx_wakes_agent on wakes (agent_id, started_at);
create index idx_wakes_started on wakes (started_at);

/*pg
create or replace function append_events(batch text, idempotency text) returns bigint
language plpgsql as $$
declare
  e record;
  k json := idempotency::json;
  last_id bigint;
begin
  perform pg_advisory_xact_lock(7301, hashtext(current_schema()));
  -- Taken apart once: asking a json for each of its parts reads it through each time.
  for e in select * from json_to_recordset(batch::json) as x(
    run_id text, task_id text, thread_id text, source text, event_type text, agent text,
    status text, message_id text, summary text, payload_json text, created_at text, deliveries json
  ) loop
    insert into events (run_id, task_id, thread_id, source, event_type, agent, status,
                        message_id, summary, payload_json, created_at)
    values (e.run_id, e.task_id, e.thread_id, e.source, e.event_type, e.agent, e.status,
            e.message_id, e.summary, e.payload_json, e.created_at)
    returning event_id into last_id;
    insert into deliveries (recipient, event_id, message_id, thread_id, seq, kind, state, queued_at,
                            expires_at, read_at, read_by)
    select d.recipient, last_id, d.message_id, d.thread_id, d.seq, d.kind, d.state, d.queued_at,
           d.expires_at, d.read_at, d.read_by
    from json_to_recordset(e.deliveries) as d(
      recipient text, message_id text, thread_id text, seq bigint, kind text, state text,
      queued_at text, expires_at text, read_at text, read_by text);
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
