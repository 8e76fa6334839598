// Keeps the files of a new store out of git: agents add everything to a commit, and the store holds all mail. The store
// may lie where others keep files for git, as skills in .agents, so only its own files are named.

import fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isDefaultPlace, repositoryRoot } from './locate.ts'
import { readText } from './text-file.ts'

const OURS = '# Written by Mailroom: the store holds your mail, and is not for git.'

/**
 * Writes the .gitignore beside a store that is about to be made: in the default place, because a repository may be made
 * around it later, and elsewhere inside a repository. False where somebody's own .gitignore does not name the store.
 */
export function ignoreInGit(store: string): boolean {
  const folder = dirname(store)
  if (!isDefaultPlace(store) && !isInRepository(folder)) return true
  const file = join(folder, '.gitignore')
  // The log, the bell and all others have the store's name and an ending. Git takes some characters for patterns.
  const pattern = `${basename(store).replace(/[\\*?[\]!# ]/g, String.raw`\$&`)}*`
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    // The flag refuses to write through a link.
    fs.writeFileSync(file, `${OURS}\n${pattern}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    // In a folder that cannot be written the store cannot be made either; that refusal says why.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return true
  }
  const lines = linesOf(file)
  if ([pattern, `/${pattern}`, '*'].some((line) => lines.includes(line))) return true
  if (lines[0] !== OURS) return false
  fs.appendFileSync(file, `${pattern}\n`)
  return true
}

function isInRepository(folder: string): boolean {
  try {
    return repositoryRoot(folder) !== undefined
  } catch {
    // A folder above may not be looked at.
    return false
  }
}

/** The lines of a file that is not a link: a repository's author might let one lead to another file of the user's. */
function linesOf(file: string): string[] {
  try {
    if (fs.lstatSync(file).isSymbolicLink()) return []
    return readText(file)?.split(/\r?\n/) ?? []
  } catch {
    // Whatever cannot be read is not ours.
    return []
  }
}
