// Keeps the files of a new store out of git, because agents add all files to a commit and the store contains all mail.
// The folder may also contain files meant for git, such as skills in .agents, so the .gitignore names only the store's
// files.

import fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isDefaultPlace, repositoryRoot } from './locate.ts'
import { readText } from './text-file.ts'

const OURS = '# Written by Mailroom: the store holds your mail, and is not for git.'

/**
 * Writes the .gitignore next to a store that's about to be created. In the default place, it's always written, because
 * the folder may become part of a repository later; elsewhere, only inside a repository. Returns false if the user's
 * own .gitignore doesn't cover the store.
 */
export function ignoreInGit(store: string): boolean {
  const folder = dirname(store)
  if (!isDefaultPlace(store) && !isInRepository(folder)) return true
  const file = join(folder, '.gitignore')
  // The store's other files (log, bell) have its name plus a suffix. Characters that are special in git patterns are
  // escaped.
  const pattern = `${basename(store).replace(/[\\*?[\]!# ]/g, String.raw`\$&`)}*`
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    // `wx` keeps us from writing through a link.
    fs.writeFileSync(file, `${OURS}\n${pattern}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    // If the folder isn't writable, creating the store fails too, and that refusal explains why.
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
    // A parent folder isn't readable.
    return false
  }
}

/** The lines of a file. Ignores links, which a repository's author could point at another of the user's files. */
function linesOf(file: string): string[] {
  try {
    if (fs.lstatSync(file).isSymbolicLink()) return []
    return readText(file)?.split(/\r?\n/) ?? []
  } catch {
    // A file we can't read isn't ours.
    return []
  }
}
