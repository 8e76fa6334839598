// Two rules that Biome does not have. A type is named by a noun, and a name means one thing in `src`. A literal is not
// spread into another literal, as in `[...['a', 'b'], 'c']`: write `['a', 'b', 'c']` and let the formatter break lines.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

/** Participles that don't end in -ed or -ing. */
const IRREGULAR = new Set(
  `Given Told Said Found Known Taken Shown Seen Begun Held Heard Kept Sent Left Made Met Written Spoken Lost Gone Done
  Chosen Brought Meant Read Put Cut`.split(/\s+/),
)

/** Nouns of the glossary that look like participles. */
const NOUNS = new Set(['Finding', 'Handling', 'Ruling', 'Standing'])

export type StyleReport = { types: number; violations: string[] }

export function checkStyle(files: Record<string, string>): StyleReport {
  const report: StyleReport = { types: 0, violations: [] }
  const declared = new Map<string, string>()
  for (const [path, text] of Object.entries(files)) {
    const program = parseSync(path, text).program as unknown as SyntaxNode
    const place = (node: SyntaxNode) => `${path}:${text.slice(0, node.start).split('\n').length}`
    for (const spread of literalSpreads(program))
      report.violations.push(
        `${place(spread)}: a literal is spread; write its elements in its place`,
      )
    if (!path.startsWith('src/') || path.includes('.test.')) continue
    for (const { name, node } of typeNames(program)) {
      report.types += 1
      if (isParticiple(name))
        report.violations.push(`${place(node)}: the type ${name} is a participle; use a noun`)
      // Props are local to a component's file, so their names may repeat.
      if (name.endsWith('Props')) continue
      const other = declared.get(name)
      if (other !== undefined)
        report.violations.push(`${place(node)}: the type ${name} is declared in ${other} too`)
      declared.set(name, place(node))
    }
  }
  if (report.types === 0) report.violations.push('no types found: wrong folder?')
  return report
}

function isParticiple(name: string): boolean {
  if (NOUNS.has(name)) return false
  return IRREGULAR.has(name) || /^[A-Z][a-z]+(ed|ing)$/.test(name)
}

type SyntaxNode = { type: string; start: number; [key: string]: unknown }

function typeNames(program: SyntaxNode): { name: string; node: SyntaxNode }[] {
  return (program.body as SyntaxNode[]).flatMap((statement) => {
    const node = isNode(statement.declaration) ? statement.declaration : statement
    const isType = /^(TSTypeAlias|TSInterface|Class)Declaration$/.test(node.type)
    return isType && isNode(node.id) ? [{ name: String(node.id.name), node }] : []
  })
}

function literalSpreads(node: SyntaxNode): SyntaxNode[] {
  const isSpread = node.type === 'SpreadElement' || node.type === 'JSXSpreadAttribute'
  const own = isSpread && isLiteral(node.argument) ? [node] : []
  const children = Object.values(node).flat().filter(isNode)
  return [...own, ...children.flatMap(literalSpreads)]
}

function isLiteral(node: unknown): boolean {
  if (!isNode(node)) return false
  if (/^(TSAs|TSSatisfies|Parenthesized)Expression$/.test(node.type))
    return isLiteral(node.expression)
  return node.type === 'ArrayExpression' || node.type === 'ObjectExpression'
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value
}

function readFiles(root: string): Record<string, string> {
  const files: Record<string, string> = {}
  for (const folder of ['src', 'test', 'scripts', 'bench']) {
    if (!existsSync(join(root, folder))) continue
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const path = `${folder}/${name}`
      if (/(?<!\.gen)\.tsx?$/.test(path)) files[path] = readFileSync(join(root, path), 'utf8')
    }
  }
  return files
}

if (import.meta.main) {
  const { types, violations } = checkStyle(readFiles(join(import.meta.dirname, '..')))
  for (const violation of violations) console.error(violation)
  console.log(`style: ${types} types, ${violations.length} violations`)
  process.exitCode = violations.length > 0 ? 1 : 0
}
