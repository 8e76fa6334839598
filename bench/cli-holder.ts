// Holds databases open until it is killed, as a server or a waiting worker does.

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
// Keeps the databases referenced during the endless wait. Otherwise, they would be garbage-collected and closed.
await nextMessage()
for (const db of open) db.close()
