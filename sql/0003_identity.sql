-- breaking: an older program could not replay the log of a store that has these.
-- Who may come in by a server's doors, and the folders that agents push from.

create table workspaces (
  workspace_id text primary key,
  -- What people call it now; it may change.
  label text not null,
  -- The folder's real path on the machine where it was added.
  path text not null,
  -- Who pushes when only the workspace is known, and whom replies then go to.
  default_agent text not null,
  added_at text not null,
  updated_at text not null,
  -- Kept when it is gone: what was pushed from it still says so.
  removed_at text
);

-- Tokens for programs, sessions of browsers, and codes that become a session once.
create table tokens (
  token_id text primary key,
  kind text not null,
  principal_kind text not null,
  principal_name text not null,
  workspace_id text,
  -- Names with commas between them; empty: all.
  sets text not null,
  label text not null,
  issued_by text not null,
  issued_at text not null,
  expires_at text,
  revoked_at text,
  -- Outside the log: of its secret the SHA-256, empty when it came from another store's log and opens
  -- nothing here; and roughly when it was last used.
  hash text not null default '',
  last_used_at text not null default ''
);

create index idx_tokens_issued on tokens (issued_at, token_id);
create index idx_tokens_workspace on tokens (workspace_id) where workspace_id is not null;
