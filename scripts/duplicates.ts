// Finds blocks of six or more lines that two places in `src` share: the same lines, or lines of the same shape with
// different names, strings and numbers. The limits are a ratchet: the check fails above them, and a change that gets
// below a limit must lower it. `--list` prints every pair.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LIMITS = { pairs: 200, identical: 20 }

const BLOCK = 6
/** A block in more places than this is an idiom of the language or the project. */
const MOST_PLACES = 8
/** Lists, tables and type declarations repeat one or two shapes, whatever their contents. */
const LEAST_SHAPES = 5

/** Two files, or one file twice, with the places of the longest block they share. */
export type DuplicatePair = { a: string; b: string; lines: number; isIdentical: boolean }

type Key = 'text' | 'shape'
type CodeLine = { number: number } & Record<Key, string>
type CodeFile = { path: string; lines: CodeLine[] }
/** The index of a block's first line among the lines of its file. */
type BlockPlace = { file: CodeFile; at: number }
type SharedBlock = { a: BlockPlace; b: BlockPlace; lines: number; key: Key }

export function findDuplicates(sources: Record<string, string>): DuplicatePair[] {
  const files = Object.entries(sources).map(([path, text]) => ({ path, lines: readLines(text) }))
  const blocks = [...sharedBlocks(files, 'text'), ...sharedBlocks(files, 'shape')]
  const byFiles = Map.groupBy(blocks, ({ a, b }) => `${a.file.path} ${b.file.path}`)
  const pairs = [...byFiles.values()].map((group) => {
    const identical = group.filter(({ key }) => key === 'text')
    const candidates = identical.length > 0 ? identical : group
    const { a, b, lines } = candidates.reduce((best, one) => (one.lines > best.lines ? one : best))
    return { a: rangeOf(a, lines), b: rangeOf(b, lines), lines, isIdentical: identical.length > 0 }
  })
  return pairs.sort((one, other) => other.lines - one.lines)
}

/** Leaves out blank lines, comments, lone punctuation and imports: they repeat without being copied. */
function readLines(text: string): CodeLine[] {
  let isInComment = false
  let isInImport = false
  return text.split('\n').flatMap((raw, i) => {
    const line = raw.trim().replace(/\s+/g, ' ')
    if (line.startsWith('/*')) isInComment = true
    if (/^import\b(?!\()/.test(line)) isInImport = true
    const isLeftOut = isInComment || isInImport || /^(\/\/|--|\} from )/.test(line)
    if (line.endsWith('*/')) isInComment = false
    if (/'$/.test(line)) isInImport = false
    if (isLeftOut || !/\w/.test(line)) return []
    return [{ number: i + 1, text: line, shape: shapeOf(line) }]
  })
}

const STRING = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g
const KEYWORD =
  /^(async|await|case|catch|class|const|delete|else|export|extends|false|for|from|function|if|in|let|new|null|of|or|and|not|return|select|switch|throw|true|try|type|undefined|update|insert|where|while|with|yield)$/

function shapeOf(line: string): string {
  return line
    .replace(STRING, '""')
    .replace(/\b\d[\w.]*/g, '0')
    .replace(/[A-Za-z_$][\w$-]*/g, (word) => (KEYWORD.test(word) ? word : 'x'))
}

function sharedBlocks(files: CodeFile[], key: Key): SharedBlock[] {
  const places = new Map<string, BlockPlace[]>()
  for (const file of files) {
    for (let at = 0; at + BLOCK <= file.lines.length; at++) {
      const block = file.lines.slice(at, at + BLOCK).map((line) => line[key])
      if (key === 'shape' && new Set(block).size < LEAST_SHAPES) continue
      const id = block.join('\n')
      const known = places.get(id)
      if (known) known.push({ file, at })
      else places.set(id, [{ file, at }])
    }
  }
  return [...places.values()]
    .filter(({ length }) => length <= MOST_PLACES)
    .flatMap((found) => found.flatMap((a, i) => found.slice(i + 1).map((b) => ({ a, b }))))
    .filter(({ a, b }) => a.file !== b.file || b.at - a.at >= BLOCK)
    .map(({ a, b }) => ({ a, b, key, lines: sharedLines(a, b, key) }))
}

function sharedLines(a: BlockPlace, b: BlockPlace, key: Key): number {
  const most = a.file === b.file ? b.at - a.at : Number.POSITIVE_INFINITY
  let lines = BLOCK
  for (; lines < most; lines++) {
    const line = a.file.lines[a.at + lines]
    if (line === undefined || line[key] !== b.file.lines[b.at + lines]?.[key]) break
  }
  return lines
}

function rangeOf({ file, at }: BlockPlace, lines: number): string {
  return `${file.path}:${file.lines[at]?.number}-${file.lines[at + lines - 1]?.number}`
}

function readSources(root: string): Record<string, string> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()
  const checked = paths.filter((path) => /(?<!\.gen)\.(tsx?|mjs|css|sql|graphql)$/.test(path))
  return Object.fromEntries(checked.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

if (import.meta.main) {
  const sources = readSources(join(import.meta.dirname, '../src'))
  const found = findDuplicates(sources)
  const counts = { pairs: found.length, identical: found.filter((one) => one.isIdentical).length }
  const above = (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).filter(
    (what) => counts[what] > LIMITS[what],
  )
  const isEmpty = Object.keys(sources).length === 0
  if (process.argv.includes('--list') || above.length > 0) {
    for (const { a, b, isIdentical } of found)
      console.log(`${isIdentical ? 'same ' : 'shape'}  ${a} ~ ${b}`)
  }
  for (const what of above)
    console.error(`${counts[what]} ${what} of duplicates; the limit is ${LIMITS[what]}`)
  if (isEmpty) console.error('no files found: wrong folder?')
  console.log(
    `duplicates: ${counts.pairs} pairs in ${Object.keys(sources).length} files, ${counts.identical} of them identical`,
  )
  process.exitCode = above.length > 0 || isEmpty ? 1 : 0
}
