-- breaking: an older program could not replay the log of a store that has these.
-- Pushes: what agents show people. The words are a message like any other; here is what lists are made by.

create table pushes (
  -- The entry's id, which is its thread's.
  thread_id text primary key,
  -- Empty when it came from no workspace.
  workspace_id text not null,
  -- What the workspace was called then.
  workspace_label text not null,
  form text not null,
  created_at text not null,
  trashed_at text,
  deleted_at text,
  foreign key (thread_id) references threads (thread_id)
);

-- Since when its reader wants it shown as unread, though it was read.
alter table deliveries add column unread_at text /*pg collate "C" */;

create index idx_pushes_created on pushes (created_at);
create index idx_pushes_workspace on pushes (workspace_id, created_at);
create index idx_pushes_trashed on pushes (trashed_at) where trashed_at is not null;
create index idx_pushes_deleted on pushes (deleted_at) where deleted_at is not null;
create index idx_deliveries_kept on deliveries (recipient, event_id) where unread_at is not null;
