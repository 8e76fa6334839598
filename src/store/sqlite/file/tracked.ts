// Finds which of the given files git tracks. SQLite applies any log it finds next to a store, and a tracked log arrives
// with a pull. This reads git's own files and never runs git, because a repository can configure programs for git to
// start.

import fs from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'

/** Finds nothing in a version 4 index, because it stores shortened names. */
export function findTracked(files: readonly string[]): string[] {
  const found = repositoryOf(files[0] ?? '.')
  if (found === undefined) return []
  const { root, folder } = found
  try {
    const index = fs.readFileSync(join(gitFolder(join(root, '.git')), 'index'))
    return files.filter((file) => isIn(index, relative(root, join(folder, basename(file)))))
  } catch {
    // The index doesn't exist yet, or this user can't read it.
    return []
  }
}

/** The repository that contains a file, and the file's folder as git knows it. */
export function repositoryOf(file: string): { root: string; folder: string } | undefined {
  const folder = fs.realpathSync(dirname(file))
  const root = upFrom(folder).find((one) => fs.existsSync(join(one, '.git')))
  return root === undefined ? undefined : { root, folder }
}

/** In a linked worktree, .git is a file that names the git folder. */
export function gitFolder(dotGit: string): string {
  if (fs.statSync(dotGit).isDirectory()) return dotGit
  const named = /^gitdir: (.+)$/m.exec(fs.readFileSync(dotGit, 'utf8'))?.[1] ?? ''
  return resolve(dirname(dotGit), named)
}

/** Each name is preceded by its length, in the lower twelve bits of two bytes. */
function isIn(index: Buffer, path: string): boolean {
  const name = Buffer.from(path.split(sep).join('/'))
  const wanted = Buffer.concat([name, Buffer.of(0)])
  for (let at = index.indexOf(wanted); at > 1; at = index.indexOf(wanted, at + 1)) {
    if ((index.readUInt16BE(at - 2) & 0xfff) === name.length) return true
  }
  return false
}

function upFrom(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...upFrom(above)]
}
