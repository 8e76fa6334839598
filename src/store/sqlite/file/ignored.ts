// Finds which of the given files git would add to a commit. Applies the rules of the repository's own ignore files, but
// not a user's global ignore list. Git itself is never run (tracked.ts explains why).

import fs from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { gitFolder, repositoryOf } from './tracked.ts'

/** A rule from one line. `base` is the folder it applies to, as a path within the repository. */
type IgnoreRule = { base: string; pattern: RegExp; isAgain: boolean; isForFolders: boolean }

export function notIgnoredByGit(files: readonly string[]): string[] {
  const found = repositoryOf(files[0] ?? '.')
  if (found === undefined) return []
  const { root, folder } = found
  const inside = relative(root, folder)
  const names = inside === '' ? [] : inside.split(sep)
  const rules = [
    ...rulesIn(join(commonFolder(join(root, '.git')), 'info', 'exclude'), ''),
    ...[-1, ...names.keys()].flatMap((at) => {
      const base = names.slice(0, at + 1)
      return rulesIn(join(root, ...base, '.gitignore'), base.join('/'))
    }),
  ]
  return files.filter((file) => !isIgnored(rules, [...names, basename(file)]))
}

/** A later rule can't re-include a file inside an ignored folder. */
function isIgnored(rules: readonly IgnoreRule[], names: readonly string[]): boolean {
  return names.some((_, at) => {
    const isFolder = at < names.length - 1
    const path = names.slice(0, at + 1).join('/')
    const rule = rules.findLast(({ base, pattern, isForFolders }) => {
      if (isForFolders && !isFolder) return false
      if (base === '') return pattern.test(path)
      return path.startsWith(`${base}/`) && pattern.test(path.slice(base.length + 1))
    })
    return rule !== undefined && !rule.isAgain
  })
}

function rulesIn(file: string, base: string): IgnoreRule[] {
  return linesOf(file).flatMap((text) => {
    // Trailing spaces don't count, unless the last one is escaped.
    const line = text.replace(/(?<!\\) +$/, '')
    if (line === '' || line.startsWith('#')) return []
    const isAgain = line.startsWith('!')
    const said = isAgain ? line.slice(1) : line
    const isForFolders = said.endsWith('/')
    const pattern = patternOf(isForFolders ? said.slice(0, -1) : said)
    return pattern === undefined ? [] : [{ base, isAgain, isForFolders, pattern }]
  })
}

/** A pattern with a slash is matched from its folder; any other is matched against the last part of a path. */
function patternOf(said: string): RegExp | undefined {
  const isAnchored = said.includes('/')
  const glob = said.startsWith('/') ? said.slice(1) : said
  const parts = glob.match(/\\.|\*\*\/|\/\*\*$|\*+|\?|\[[!^]?\]?[^\]]*\]|./gs) ?? []
  const begin = isAnchored ? '^' : '(?:^|/)'
  try {
    return new RegExp(`${begin}${parts.map(partOf).join('')}$`)
  } catch {
    // A character range that ends before it begins, such as [z-a], matches nothing.
    return undefined
  }
}

function partOf(part: string): string {
  if (part === '**/') return '(?:.*/)?'
  if (part === '/**') return '/.+'
  if (part.startsWith('*')) return '[^/]*'
  if (part === '?') return '[^/]'
  if (part.startsWith('[') && part.length > 2) {
    const isNot = part[1] === '!' || part[1] === '^'
    return `[${isNot ? '^/' : ''}${part.slice(isNot ? 2 : 1, -1).replace(/[\\[\]^]/g, '\\$&')}]`
  }
  const letter = part.startsWith('\\') && part.length > 1 ? part.slice(1) : part
  return letter.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** A file larger than this isn't an ignore list. */
const MOST_BYTES = 1_000_000

/** Only reads regular files: git doesn't follow links here, and reading a pipe would block. */
function linesOf(file: string): string[] {
  try {
    const { size } = fs.lstatSync(file)
    if (!fs.lstatSync(file).isFile() || size > MOST_BYTES) return []
    return fs.readFileSync(file, 'utf8').split(/\r?\n/)
  } catch {
    // The file doesn't exist, or this user can't read it.
    return []
  }
}

/** A linked worktree uses the ignore list in the main worktree's git folder. */
function commonFolder(dotGit: string): string {
  const own = gitFolder(dotGit)
  const [named = ''] = linesOf(join(own, 'commondir'))
  return named === '' ? own : join(own, named)
}
