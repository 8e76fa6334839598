-- breaking: an older program could not replay the log of a store that has these, and would leave desks as they are.

-- What a person has set for the web app. Whoever has set nothing has no row.
create table person_settings (
  person_id text primary key,
  -- Screens with their filters, each under a name, in the person's order.
  views_json text not null,
  -- How they are told that an agent needs them, and when not.
  notify_json text not null,
  -- When what is open counts as read: at once, after a moment, by hand.
  mark_read text not null,
  single_keys integer not null,
  updated_at text not null
);

-- The short ids of the shell. An id begins with a time, which the ids of one morning share, so people type the beginning
-- of the part after it, which is chance.
create index idx_threads_short on threads (substr(thread_id, 15));
create index idx_messages_short on messages (substr(message_id, 15));
create index idx_agent_runs_short on agent_runs (substr(agent_run_id, 15));

-- Open requests by when their time runs out, then by age; and by their risk.
create index idx_requests_soonest on requests (is_open, (coalesce(expires_at, '~')), created_at, thread_id);
create index idx_requests_soonest_type
  on requests (is_open, request_type, (coalesce(expires_at, '~')), created_at, thread_id);
create index idx_requests_risk on requests (is_open, risk, created_at, thread_id);

-- Threads that a person does not want to see for now. A row stays when the snooze is over: its end is a matter of the
-- clock, or of newer words.
create table snoozes (
  -- PERSON/THREAD.
  snooze_id text primary key,
  person text not null,
  thread_id text not null,
  -- Null: put away, so only newer words bring it back.
  until text,
  -- The last message in the thread that had come to the person then, by its place there.
  upto integer not null,
  -- The message that the snooze keeps unread, so that the thread comes back unread; empty: there was something unread.
  kept text not null,
  -- How many events tell of this row.
  events integer not null,
  snoozed_at text not null,
  -- When the person took it back, or had read it.
  ended_at text
);

-- The desks of people: a row for each thread that was delivered to one, made from the other tables in the transaction
-- that changes them (src/store/desk/desk-row-writes.ts). So a list, a count and a search by any filter read an index.
create table desk_rows (
  person text not null,
  thread_id text not null,
  -- The latest delivery: the place in the list, and when it came.
  event_id integer not null,
  at text not null,
  -- How many messages are unread, and 1 if any is.
  unread integer not null,
  is_unread integer not null,
  is_notification integer not null,
  -- Empty when it is from no workspace.
  workspace_id text not null,
  created_by text not null,
  -- request: to be decided by this person. question: to be answered. Empty: neither.
  needs text not null,
  -- When the request expires; 9999 if never.
  wanted_by text not null,
  -- Until when it is snoozed; 9999: until there are newer words; empty: it is not, or was read after it came back.
  wakes_at text not null,
  -- 1: newer words brought it back, and it was not read since.
  is_woken integer not null,
  primary key (person, thread_id)
);

create index idx_desk_rows_thread on desk_rows (thread_id);
-- The last columns are only read: so counts and days are read from an index alone.
create index idx_desk_rows_place on desk_rows (person, is_notification, event_id, at) where wakes_at = '';
create index idx_desk_rows_unread on desk_rows (person, is_unread, is_notification, event_id, at)
  where wakes_at = '' and is_unread = 1;
create index idx_desk_rows_workspace on desk_rows (person, workspace_id, event_id)
  where wakes_at = '' and workspace_id <> '';
create index idx_desk_rows_from on desk_rows (person, created_by, event_id) where wakes_at = '';
create index idx_desk_rows_needs on desk_rows (person, wanted_by, event_id, needs, wakes_at) where needs <> '';
create index idx_desk_rows_snoozed on desk_rows (person, event_id) where wakes_at <> '';
create index idx_desk_rows_wakes on desk_rows (person, wakes_at) where wakes_at <> '';
-- The counts of `status` then read this index alone.
drop index idx_threads_status_updated;
create index idx_threads_status_updated on threads (status, updated_at, kind);
