// The private folder of a run in memory: its store and its files, which go with the run. A run that was killed leaves its
// folder behind, with a mark of the process that it belonged to; the next such run removes it.

import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isGone, ownMark } from './process-tree.ts'

const PREFIX = 'inbox-workflow-'
const OWNER = 'owner'

export function makeMemoryFolder(): string {
  const above = fs.realpathSync(tmpdir())
  removeLeft(above)
  const folder = fs.mkdtempSync(join(above, PREFIX))
  fs.writeFileSync(join(folder, OWNER), ownMark(), { mode: 0o600 })
  return folder
}

function removeLeft(above: string): void {
  for (const name of fs.readdirSync(above)) {
    if (name.startsWith(PREFIX) && isLeft(join(above, name))) {
      fs.rmSync(join(above, name), { recursive: true, force: true })
    }
  }
}

/** Everybody may put something under such a name into the temporary folder. Only a folder of our own counts. */
function isLeft(folder: string): boolean {
  try {
    const found = fs.lstatSync(folder)
    const isOurs = found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid)
    return isOurs && isGone(fs.readFileSync(join(folder, OWNER), 'utf8'))
  } catch {
    // The run that it belongs to has just removed it, or has not marked it yet.
    return false
  }
}
