-- The digest of the key that a browser's page keeps beside its session. Empty: the session has none. Outside the log,
-- as the session's own digest is.
alter table tokens add column page_hash text /*pg collate "C" */ not null default '';
