// Reads a file's imports and globals from its syntax tree. A text search would miss imports that span several lines and
// be fooled by strings and comments.
import { parseSync } from 'oxc-parser'

/** `static` loads with the file, `lazy` when the code runs, `type` never. */
export type ImportFact = { to: string; kind: 'static' | 'lazy' | 'type'; line: number }

/** A global that the code reads: `process`, `process.stdout`, `Date.now`, `new Date()`. */
export type NameFact = { name: string; line: number }

export type ModuleFacts = { imports: ImportFact[]; names: NameFact[]; topLevelAwait: number[] }

/** An import with a computed target, which no check can resolve. */
export const COMPUTED = '(computed)'

export function readFacts(path: string, text: string): ModuleFacts {
  if (path.endsWith('.css')) return readStyleFacts(text)
  const { program, errors } = parseSync(path, text)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  const facts: ModuleFacts = { imports: [], names: [], topLevelAwait: [] }
  visit(program as unknown as Node, null, '', { inType: false, inFunction: false }, facts, text)
  return facts
}

/** A style sheet loads the sheets it composes from or imports. */
function readStyleFacts(text: string): ModuleFacts {
  const imports = text.split('\n').flatMap((line, at): ImportFact[] => {
    const to = /composes:[^;]* from "(.+)"/.exec(line)?.[1] ?? /@import "(.+)"/.exec(line)?.[1]
    return to === undefined ? [] : [{ to, kind: 'static', line: at + 1 }]
  })
  return { imports, names: [], topLevelAwait: [] }
}

type Node = { type: string; start: number; [key: string]: unknown }
type Place = { inType: boolean; inFunction: boolean }

function visit(
  node: Node,
  parent: Node | null,
  key: string,
  place: Place,
  facts: ModuleFacts,
  text: string,
): void {
  const line = () => text.slice(0, node.start).split('\n').length
  const add = (source: unknown, kind: ImportFact['kind']) =>
    facts.imports.push({ to: literal(source) ?? COMPUTED, kind, line: line() })

  if (node.type === 'ImportDeclaration' || node.type.startsWith('Export')) {
    const isType = node.importKind === 'type' || node.exportKind === 'type'
    if (node.source) add(node.source, isType ? 'type' : 'static')
  } else if (node.type === 'ImportExpression') add(node.source, 'lazy')
  else if (node.type === 'TSImportType') add(node.source ?? node.argument, 'type')
  else if (node.type === 'AwaitExpression' && !place.inFunction) facts.topLevelAwait.push(line())
  else if (node.type === 'ForOfStatement' && node.await && !place.inFunction)
    facts.topLevelAwait.push(line())
  else if (node.type === 'Identifier' && !place.inType && isRead(parent, key))
    facts.names.push(...globalNames(node, parent, key).map((name) => ({ name, line: line() })))

  const inside = {
    inType: place.inType || TYPE_NODES.has(node.type),
    inFunction: place.inFunction || FUNCTION_NODES.has(node.type),
  }
  for (const [childKey, value] of Object.entries(node)) {
    const here = TYPE_KEYS.has(childKey) ? { ...inside, inType: true } : inside
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) visit(child, node, childKey, here, facts, text)
  }
}

const FUNCTION_NODES = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
])
const TYPE_NODES = new Set(['TSTypeAliasDeclaration', 'TSInterfaceDeclaration'])
const TYPE_KEYS = new Set([
  'typeAnnotation',
  'typeArguments',
  'typeParameters',
  'returnType',
  'superTypeArguments',
  'implements',
])

/** False if the identifier is only a label: `x.process`, `{ process: 1 }`. */
function isRead(parent: Node | null, key: string): boolean {
  if (!parent) return false
  if (parent.type === 'MemberExpression') {
    const ofGlobalThis = isNode(parent.object) && parent.object.name === 'globalThis'
    return key === 'object' || parent.computed === true || ofGlobalThis
  }
  if (key === 'key') return parent.computed === true
  return !['ImportSpecifier', 'ExportSpecifier', 'LabeledStatement', 'MetaProperty'].includes(
    parent.type,
  )
}

function globalNames(node: Node, parent: Node | null, key: string): string[] {
  const name = String(node.name)
  if (parent?.type === 'MemberExpression' && key === 'object') {
    const property = isNode(parent.property) ? parent.property : undefined
    const member = parent.computed ? literal(property) : property?.name
    return [name, `${name}.${member ?? COMPUTED}`]
  }
  const isCall = parent?.type === 'NewExpression' || parent?.type === 'CallExpression'
  const isBare = isCall && key === 'callee' && (parent.arguments as unknown[]).length === 0
  return name === 'Date' && isBare ? [name, 'new Date()'] : [name]
}

function literal(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'TSLiteralType') return literal(node.literal)
  return undefined
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
