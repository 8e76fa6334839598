-- breaking: an older program could not replay the log of a store that has these.
-- Requests: what people must answer. The words are messages like any other; here is how far each has come.

create table requests (
  -- The request's id, which is its thread's.
  thread_id text primary key,
  request_type text not null,
  status text not null,
  -- Whether somebody may still decide: 1, or 0 once it is over.
  is_open integer not null,
  revision integer not null,
  requester text not null,
  -- Empty when it is for all people.
  recipient text not null,
  entity_type text not null,
  entity_id text not null,
  -- Empty when it came from no workspace.
  workspace_id text not null,
  -- The name that an agent gave a workspace review; empty for every other request.
  review_id text not null,
  risk text,
  policy text not null,
  -- Names with commas between them.
  deciders text not null,
  is_editable integer not null,
  expires_at text,
  -- What happens then: keep, reject, approve or escalate.
  on_expiry text not null,
  -- Empty for all people.
  escalate_to text not null,
  escalated_at text,
  -- When time acts on it: null if it is kept, was escalated, or is over.
  lapses_at text,
  -- Null once the reminder went out, if none is wanted, or if it is over.
  remind_at text,
  payload_sha256 text not null,
  revision_message text not null,
  created_at text not null,
  decided_by text,
  decided_at text,
  decision_message text,
  -- Ids of threads that belong to it, with commas between them.
  links text not null,
  used_at text,
  used_by text,
  -- A decision that may still be taken back, until it counts: all of these, or none.
  held_move text,
  held_by text,
  held_until text,
  held_message text,
  held_payload_sha256 text,
  foreign key (thread_id) references threads (thread_id)
);

-- Each list is of one tab, newest first: of all, of one type, of one requester, for one person, about one thing. An index
-- with the type before the date counts them.
create index idx_requests_open on requests (is_open, created_at, thread_id);
create index idx_requests_type on requests (is_open, request_type, created_at, thread_id);
create index idx_requests_status on requests (status, created_at, thread_id);
create index idx_requests_requester on requests (requester, is_open, created_at, thread_id);
create index idx_requests_requester_type on requests (requester, is_open, request_type, created_at, thread_id);
create index idx_requests_recipient on requests (recipient, is_open, created_at, thread_id)
  where recipient <> '';
create index idx_requests_recipient_type on requests (recipient, is_open, request_type, created_at, thread_id)
  where recipient <> '';
create index idx_requests_entity on requests (entity_type, entity_id, is_open, created_at, thread_id)
  where entity_type <> '';
create index idx_requests_entity_counts on requests (entity_type, entity_id, is_open, request_type)
  where entity_type <> '';
create index idx_requests_entity_type on requests (entity_type, is_open, created_at, thread_id)
  where entity_type <> '';
create index idx_requests_entity_type_counts on requests (entity_type, is_open, request_type)
  where entity_type <> '';
-- What happens to a request by itself, and when.
create index idx_requests_held on requests (held_until) where held_until is not null;
create index idx_requests_remind on requests (remind_at) where remind_at is not null;
create index idx_requests_lapse on requests (lapses_at) where lapses_at is not null;
create index idx_requests_payload on requests (payload_sha256, requester, created_at, thread_id);
-- An agent submits a review once, however often it tries.
create unique index idx_requests_review on requests (requester, review_id) where review_id <> '';

-- Agent runs: the work of an agent in a folder, which pauses for reviews. No run of a workflow.

create table agent_runs (
  agent_run_id text primary key,
  agent_id text not null,
  status text not null,
  -- The latest review; earlier ones are stale.
  review_id text not null,
  -- Its request; empty when it has none yet.
  request_id text not null,
  -- How the walk to whoever is responsible ended.
  routing text not null,
  review_status text not null,
  -- The message that holds what was said about the review.
  response_message text not null,
  wake_id text not null,
  session text not null,
  folder text not null,
  began_at text not null,
  updated_at text not null
);

create index idx_agent_runs_agent on agent_runs (agent_id, began_at, agent_run_id);
create index idx_agent_runs_open on agent_runs (agent_id, folder, began_at)
  where status in ('running', 'paused');
create index idx_agent_runs_status on agent_runs (status, began_at, agent_run_id);
create index idx_agent_runs_began on agent_runs (began_at, agent_run_id);

-- What a person granted to a service, as words with commas between them.
alter table tokens add column may text /*pg collate "C" */ not null default '';

-- What agents must ask people for before they do it.
create table requirements (
  requirement_id text primary key,
  -- An agent's name, or role:ROLE.
  applies_to text not null,
  -- A type of request, or tool:PATTERN.
  requires text not null,
  added_by text not null,
  added_at text not null,
  -- Null while it holds.
  removed_at text
);

create index idx_requirements on requirements (applies_to, requires, requirement_id);

-- What becomes of an approved request whose type has a command.
create table effects (
  -- The request's id.
  thread_id text primary key,
  state text not null,
  -- 1 while it waits or runs.
  is_open integer not null,
  attempt integer not null,
  queued_at text not null,
  started_at text,
  -- Beside the log: until when whoever watches over it is believed.
  expires_at text,
  ended_at text,
  exit_code integer,
  reason text not null,
  stderr text not null,
  foreign key (thread_id) references threads (thread_id)
);

create index idx_effects_open on effects (is_open, queued_at, thread_id);

-- The command that an approval sets off, for each type of request that has one.
create table effect_commands (
  request_type text primary key,
  run_json text not null,
  set_by text not null,
  set_at text not null,
  -- Null while it holds.
  removed_at text
);

-- The latest mail that a turn that ended well was given: every look at who may be woken asks for it.
create index idx_wakes_handed on wakes (agent_id, upto_event) where state = 'ended';
