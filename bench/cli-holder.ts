// Holds databases open, as a server or a waiting worker does, until it is killed.

import { DatabaseSync } from 'node:sqlite'
import { answer, nextMessage } from './child.ts'

const paths = await nextMessage<string[]>()
const open = paths.map((path) => {
  const db = new DatabaseSync(path)
  // SQLite opens the file at the first statement.
  db.prepare('select count(*) from sqlite_schema').get()
  return db
})
answer(open.length)
// Named again after a wait without end: a database that nothing names any more is closed unasked.
await nextMessage()
for (const db of open) db.close()
