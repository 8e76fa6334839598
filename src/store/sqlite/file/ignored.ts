// Finds which of some files git would add to a commit. Applies git's rules from the files where a repository lists
// what it ignores; a user's global ignore list isn't known here. Git itself is never run (tracked.ts explains why).

import fs from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { gitFolder, repositoryOf } from './tracked.ts'

/** A rule of one line. `base` is the folder it applies to, as a path in the repository. */
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

/** Nothing inside an ignored folder can be included again. */
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

/** A pattern with a slash matches from its folder; any other matches the last name of a path. */
function patternOf(said: string): RegExp | undefined {
  const isAnchored = said.includes('/')
  const glob = said.startsWith('/') ? said.slice(1) : said
  const parts = glob.match(/\\.|\*\*\/|\/\*\*$|\*+|\?|\[[!^]?\]?[^\]]*\]|./gs) ?? []
  const begin = isAnchored ? '^' : '(?:^|/)'
  try {
    return new RegExp(`${begin}${parts.map(partOf).join('')}$`)
  } catch {
    // A range that ends before it begins matches nothing.
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

/** A larger file isn't a list of names. */
const MOST_BYTES = 1_000_000

/** Git doesn't follow links here, and reading a pipe would block. */
function linesOf(file: string): string[] {
  try {
    const { size } = fs.lstatSync(file)
    if (!fs.lstatSync(file).isFile() || size > MOST_BYTES) return []
    return fs.readFileSync(file, 'utf8').split(/\r?\n/)
  } catch {
    // The list doesn't exist, or this user may not read it.
    return []
  }
}

/** A linked worktree shares these lists with the main one, and they are in the main one's folder. */
function commonFolder(dotGit: string): string {
  const own = gitFolder(dotGit)
  const [named = ''] = linesOf(join(own, 'commondir'))
  return named === '' ? own : join(own, named)
}
