// Begins the copy of a backup, says its path, and never ends it.

import { writeFileSync } from 'node:fs'
import { beginCopy } from '../../src/store/sqlite/file/backup.ts'
import { say } from './lines.ts'

const copy = beginCopy(process.argv[2] ?? '')
const { path } = copy
writeFileSync(path, 'half a copy')
writeFileSync(`${path}-journal`, 'a journal')
say({ path })
// The copy is referred to: collected as garbage, it would give up its lock.
setInterval(() => copy.path, 60_000)
