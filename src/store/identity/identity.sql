--- workspace_get
select * from workspaces where workspace_id = :workspace_id

--- workspaces_all
select * from workspaces order by added_at, workspace_id

--- workspace_put
insert into workspaces (workspace_id, label, path, default_agent, added_at, updated_at)
values (:workspace_id, :label, :path, :default_agent, :at, :at)
on conflict (workspace_id) do update
set label = excluded.label, path = excluded.path, default_agent = excluded.default_agent,
    updated_at = excluded.updated_at, removed_at = null

--- workspace_change
update workspaces set label = :label, default_agent = :default_agent, updated_at = :at
where workspace_id = :workspace_id

--- workspace_remove
update workspaces set updated_at = :at, removed_at = :at where workspace_id = :workspace_id

--- workspaces_page
select * from workspaces where workspace_id > :after order by workspace_id limit :limit

--- token_get
select * from tokens where token_id = :token_id

--- tokens_list
select * from tokens
where kind in (:kinds...)
  and principal_name = :principal -- if :principal
  and workspace_id = :workspace -- if :workspace
  and revoked_at is null and coalesce(expires_at, '9999') > :good_at -- if :good_at
order by issued_at desc, token_id desc
limit :limit

--- token_insert
insert into tokens (token_id, kind, principal_kind, principal_name, workspace_id, sets, label,
                    issued_by, issued_at, expires_at)
values (:token_id, :kind, :principal_kind, :principal_name, :workspace_id, :sets, :label,
        :issued_by, :issued_at, :expires_at)

--- token_revoke
update tokens set revoked_at = :at where token_id = :token_id

--- token_keep_hash
update tokens set hash = :hash where token_id = :token_id

--- sighting_token
-- Two may use it at once: the later moment stays.
update tokens set last_used_at = :at where token_id = :token_id and last_used_at < :at

--- tokens_page
select token_id, kind, principal_kind, principal_name, workspace_id, sets, label, issued_by,
       issued_at, expires_at, revoked_at
from tokens where token_id > :after order by token_id limit :limit
