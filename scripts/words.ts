// The words of the house: a comment names its subject, and a type is a noun with one meaning.
// The check fails when it reads no comments or no types, because a guard that looks at nothing is
// green for the wrong reason.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

/** A comment that opens with one of these leaves its subject to the reader. */
const HEADLESS = [
  ...['What', 'Who', 'Whoever', 'Whom', 'Whomever', 'Whose', 'Of', 'Those', 'It', 'Its'],
  ...['Asked', 'As', 'So'],
]

/** Participles that do not end in -ed or -ing. */
const IRREGULAR = [
  ...[
    'Given',
    'Told',
    'Said',
    'Found',
    'Known',
    'Taken',
    'Shown',
    'Seen',
    'Begun',
    'Held',
    'Heard',
  ],
  ...['Kept', 'Sent', 'Left', 'Made', 'Met', 'Written', 'Spoken', 'Lost', 'Gone', 'Done', 'Chosen'],
  ...['Brought', 'Meant', 'Read', 'Put', 'Cut'],
]

/** Words that look like participles and are nouns of the glossary. */
const NOUNS = ['Finding', 'Handling', 'Ruling', 'Standing']

/** Tools that are switched by a comment have their own form for it. */
const DIRECTIVE = /^(@ts-|biome-ignore|knip)/

export type WordsReport = { comments: number; types: number; violations: string[] }

export function checkWords(files: Record<string, string>): WordsReport {
  const report: WordsReport = { comments: 0, types: 0, violations: [] }
  const declared = new Map<string, string>()
  for (const [path, text] of Object.entries(files)) {
    for (const { line, words } of path.endsWith('.sql')
      ? sqlComments(text)
      : comments(path, text)) {
      report.comments += 1
      const [first = ''] = /^[A-Za-z]+/.exec(words) ?? []
      if (HEADLESS.includes(first))
        report.violations.push(`${path}:${line}: "${first} …" does not say what it speaks of`)
    }
    if (!path.startsWith('src/') || path.includes('.test.') || path.endsWith('.sql')) continue
    for (const { line, name } of typeNames(path, text)) {
      report.types += 1
      if (isParticiple(name))
        report.violations.push(`${path}:${line}: the type ${name} is a participle; name the thing`)
      // The properties of a component belong to it alone, and are never meant elsewhere.
      if (/Props$/.test(name)) continue
      const other = declared.get(name)
      if (other !== undefined)
        report.violations.push(`${path}:${line}: the type ${name} is declared in ${other} too`)
      declared.set(name, `${path}:${line}`)
    }
  }
  if (report.comments === 0) report.violations.push('no comments found: wrong folder?')
  if (report.types === 0) report.violations.push('no types found: wrong folder?')
  return report
}

function isParticiple(name: string): boolean {
  if (NOUNS.includes(name)) return false
  return IRREGULAR.includes(name) || /^[A-Z][a-z]+(ed|ing)$/.test(name)
}

type Comment = { line: number; words: string }

/** Lines of `//` that follow each other are one comment. */
function comments(path: string, text: string): Comment[] {
  const found: Comment[] = []
  let last = -1
  for (const { type, value, start, end } of parseSync(path, text).comments) {
    const line = lineAt(text, start)
    const isNext = type === 'Line' && line === last + 1
    last = type === 'Line' ? lineAt(text, end) : -1
    const words = value.replace(/^[\s*]+/, '')
    if (!isNext && !DIRECTIVE.test(words)) found.push({ line, words })
  }
  return found
}

/** Names and marks of queries (`--- inbox`, `-- if :name`) do not begin with a capital letter. */
function sqlComments(text: string): Comment[] {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    const [, words] = /^\s*-- ([A-Z].*)/.exec(line) ?? []
    const isFirst = !/^\s*-- /.test(lines[at - 1] ?? '')
    return words !== undefined && isFirst ? [{ line: at + 1, words }] : []
  })
}

function typeNames(path: string, text: string): { line: number; name: string }[] {
  const { program } = parseSync(path, text)
  return program.body.flatMap((statement) => {
    const own = 'declaration' in statement ? statement.declaration : statement
    if (own === null || !('id' in own) || own.id === null || !('name' in own.id)) return []
    const isType = /^(TSTypeAlias|TSInterface|Class)Declaration$/.test(own.type)
    return isType ? [{ line: lineAt(text, own.start), name: own.id.name }] : []
  })
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

const ROOTS = ['src', 'test', 'scripts', 'bench']
const CHECKED = /(?<!\.gen)\.(tsx?|mjs|sql)$/

/** Migrations are left out: once released, they are never edited. */
function readFiles(root: string): Record<string, string> {
  const files: Record<string, string> = {}
  for (const folder of ROOTS) {
    if (!existsSync(join(root, folder))) continue
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const path = `${folder}/${name}`
      if (CHECKED.test(path)) files[path] = readFileSync(join(root, path), 'utf8')
    }
  }
  return files
}

if (import.meta.main) {
  const { comments, types, violations } = checkWords(readFiles(join(import.meta.dirname, '..')))
  for (const violation of violations) console.error(violation)
  console.log(`words: ${comments} comments, ${types} types, ${violations.length} violations`)
  process.exitCode = violations.length > 0 ? 1 : 0
}
