-- breaking: an older program could not replay the log of a store that has these.

-- Instances of workflows, and agents that stand alone: who takes part in the latest run, and where its files are.
create table instances (
  instance text primary key,
  run integer not null,
  workflow text not null,
  -- The file; empty for an agent that stands alone.
  source text not null,
  standalone integer not null,
  mode text not null,
  state text not null,
  provider text not null,
  dir text not null,
  channel_file text not null,
  document text not null,
  documents_json text not null,
  members_json text not null,
  -- The channel; empty without a context.
  thread_id text not null,
  generation integer not null,
  stops integer not null,
  stop_at text,
  -- Agents with commas between them; none means all.
  stop_agents text not null,
  started_at text not null,
  ended_at text,
  ended text not null,
  -- Beside the log: the runner's lease, and where the runner is found.
  token text not null default '',
  expires_at text,
  pid integer,
  log text not null default '',
  socket text not null default '',
  url text not null default ''
);

create index idx_instances_state on instances (state, instance);
create index idx_instances_dir on instances (dir, started_at);
create index idx_instances_ended on instances (state, ended_at, instance);
create index idx_threads_channel on threads (updated_at, thread_id) where kind = 'channel';

-- The revisions of an instance's documents. The text of each is the message of its thread.
create table document_revisions (
  thread_id text primary key,
  instance text not null,
  run integer not null,
  file text not null,
  revision integer not null,
  change text not null,
  -- Empty for a change that was made outside.
  written_by text not null,
  -- Empty for a document that was deleted.
  sha256 text not null,
  bytes integer not null,
  is_kept integer not null,
  created_at text not null
);

create unique index idx_revisions_document on document_revisions (instance, file, revision);
create index idx_revisions_instance on document_revisions (instance, created_at, file, revision);
create index idx_revisions_created on document_revisions (created_at, thread_id);
