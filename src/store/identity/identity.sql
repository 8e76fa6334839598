--- workspaces_all
select * from workspaces order by added_at, workspace_id

--- token_get
select * from tokens where token_id = :token_id

--- code_get
-- A code is as short as possible, so it doesn't contain its id. Few tokens are issued while one is valid.
select * from tokens where issued_at >= :since and kind = 'code' and hash = :hash

--- token_standing
select kind, expires_at, revoked_at, :now as now from tokens where token_id = :token_id

--- token_must_be_good
-- Sent with COMMIT on PostgreSQL, where only an error turns that into a rollback.
select 1 / count(*) as good from tokens
where token_id = :token_id and revoked_at is null and coalesce(expires_at, '9999') > :now

--- tokens_list
select * from tokens
where kind in (:kinds...)
  and principal_name = :principal -- if :principal
  and workspace_id = :workspace -- if :workspace
  and revoked_at is null and coalesce(expires_at, '9999') > :good_at -- if :good_at
order by issued_at desc, token_id desc
limit :limit

--- token_keep_hash
update tokens set hash = :hash where token_id = :token_id

--- token_keep_page_hash
update tokens set page_hash = :page_hash where token_id = :token_id

--- sighting_token
-- Two callers may use it at the same time: the later time stays.
update tokens set last_used_at = :at where token_id = :token_id and last_used_at < :at

--- tokens_prunable
-- Tokens that expired or were revoked long ago, with the number of their events.
select token_id as row_key, case when revoked_at is null then 1 else 2 end as events from tokens
where coalesce(revoked_at, expires_at, '9999') < :before
  and token_id in (:keys...) -- if :keys
order by token_id
limit :limit
