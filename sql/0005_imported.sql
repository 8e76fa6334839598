-- Who brought a message in from a file, so that nobody takes it for one that was sent here. Null: it was.
-- In the log it is a fact of the event; beside it of what came with a whole log, which stays as it was.
alter table messages add column imported_by text /*pg collate "C" */;
