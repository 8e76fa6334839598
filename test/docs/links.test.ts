// Documents go stale when the things they name change. Every file, script and heading they name must exist.

import { expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CODES } from '../../src/index.ts'
import { documents, prose, ROOT, read } from './documents.ts'

const TOP = ['src', 'test', 'scripts', 'sql', 'docs', 'decisions', 'skills', 'bench', 'examples']
const PATH = new RegExp(`^(?:${TOP.join('|')})(?:/[\\w.*-]+)*/?$`)
/** A source file named without its folder, which the text has mentioned earlier. */
const BARE = /^[\w-]+(?:\.[\w-]+)*\.tsx?$/
const SOURCES = new Set(
  ['src', 'scripts', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      basename(path),
    ),
  ),
)

/** The file a link points to, and the heading in it. */
function linkTarget(document: string, target: string): { file: string; heading: string } {
  const [path = '', heading = ''] = target.split('#')
  return { file: path === '' ? document : join(dirname(document), path), heading }
}

function anchors(document: string): string[] {
  const headings = prose(read(document)).match(/^#+ .*$/gm) ?? []
  return headings.map((heading) =>
    heading
      .replace(/^#+ /, '')
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
}

test.each(documents())('%s names only what exists', (document) => {
  const text = prose(read(document))
  const missing: string[] = []
  for (const [, named = ''] of text.matchAll(/`([^`\s]+)`/g)) {
    if (BARE.test(named) && !SOURCES.has(named)) missing.push(named)
    if (!PATH.test(named) || named.includes('*')) continue
    if (!existsSync(join(ROOT, named))) missing.push(named)
  }
  for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^https?:/.test(target)) continue
    const { file, heading } = linkTarget(document, target)
    if (!existsSync(join(ROOT, file))) missing.push(target)
    else if (heading !== '' && !anchors(file).includes(heading)) missing.push(target)
  }
  expect(missing).toEqual([])
})

test('every document can be reached from the README or AGENTS.md', () => {
  const all = documents()
  const seen = new Set<string>()
  const open = ['README.md', 'AGENTS.md']
  for (let document = open.pop(); document !== undefined; document = open.pop()) {
    if (seen.has(document)) continue
    seen.add(document)
    const text = prose(read(document))
    const linked = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) =>
      linkTarget(document as string, target).file.replace(/\/$/, ''),
    )
    const named = [...text.matchAll(/`([^`\s]+)`|\b([A-Z]+\.md)\b/g)].map(([, quoted, bare]) =>
      (quoted ?? bare ?? '').replace(/\/$/, ''),
    )
    for (const one of [...linked, ...named]) {
      open.push(...all.filter((path) => path === one || dirname(path) === one))
    }
  }
  expect(all.filter((path) => !seen.has(path))).toEqual([])
})

test('every refusal has a heading in docs/refusals.md', () => {
  const headings: string[] = prose(read('docs/refusals.md')).match(/^## .*$/gm) ?? []
  expect(headings).toEqual(Object.keys(CODES).map((code) => `## ${code}`))
})

test('decisions are numbered without gaps and say when to look again', () => {
  const files = readdirSync(join(ROOT, 'decisions')).sort()
  expect(files.length).toBeGreaterThan(9)
  for (const [i, file] of files.entries()) {
    const number = i + 1
    expect(file).toMatch(new RegExp(`^${String(number).padStart(4, '0')}-[a-z-]+\\.md$`))
    const text = read(join('decisions', file))
    expect(text).toMatch(new RegExp(`^# ${number}\\. `))
    expect(text).toContain('**Decision.**')
    expect(text).toContain('**Look again when**')
    expect(text.split('\n').length).toBeLessThanOrEqual(80)
  }
})

test('every entry of the glossary lists the words not to use', () => {
  const rows = read('GLOSSARY.md').match(/^\| \*\*.*$/gm) ?? []
  expect(rows.length).toBeGreaterThan(15)
  for (const row of rows) expect(row).toMatch(/\| not: .+ \|$/)
})

// The runner reports this as skipped if `man` isn't installed.
test.skipIf(Bun.which('man') === null)('man shows the manual page without warnings', () => {
  const page = join(ROOT, 'docs/man/inbox.1')
  const set = Bun.spawnSync(['man', '--warnings', '-E', 'UTF-8', '-l', '-Tutf8', '-Z', page])
  expect(set.stderr.toString()).toBe('')
  expect(set.stdout.length).toBeGreaterThan(10_000)
})
