-- breaking: an older program could not replay the log of a store that has these.

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
