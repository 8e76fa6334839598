--- revision_get
select * from document_revisions
where instance = :instance and file = :file
  and revision = :revision -- if :revision
order by revision desc
limit 1

--- revision_text
select body, payload_json from messages where thread_id = :thread_id and seq = 1

--- revisions_kept
select * from document_revisions
where instance = :instance and file = :file and is_kept = 1
order by revision desc
limit :limit

--- revisions_of_document
select * from document_revisions
where instance = :instance and file = :file
order by revision desc
limit :limit

--- revisions_of_instance
select * from document_revisions
where instance = :instance
order by created_at desc, file desc, revision desc
limit :limit

--- revisions_prunable
-- A newer one has taken its place, or its instance is over. Crossed, because SQLite then begins with the first.
select t.* from document_revisions r cross join threads t
where t.thread_id = r.thread_id and r.created_at < :before
  and r.thread_id = :thread_id -- if :thread_id
  and (exists (select 1 from document_revisions n
      where n.instance = r.instance and n.file = r.file and n.revision > r.revision)
    or not exists (select 1 from instances i
      where i.instance = r.instance and (i.state = 'running' or i.ended_at >= :before)))
order by r.created_at, r.thread_id
limit :limit
