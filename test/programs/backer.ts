// Begins the copy of a backup, prints its path, and never finishes it.

import { writeFileSync } from 'node:fs'
import { beginCopy } from '../../src/store/sqlite/file/backup.ts'
import { say } from './lines.ts'

const copy = beginCopy(process.argv[2] ?? '')
const { path } = copy
writeFileSync(path, 'half a copy')
writeFileSync(`${path}-journal`, 'a journal')
say({ path })
// Keeps a reference to the copy, because it would release its lock when garbage-collected.
setInterval(() => copy.path, 60_000)
