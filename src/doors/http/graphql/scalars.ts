// Converts values to GraphQL and back: our two custom scalars, uppercase enums, and null for empty strings. JSON
// literals in a document are parsed like JSON in the variables: a number that would lose precision stays a string, so
// that the refusal names its field.

import { GraphQLError, type GraphQLSchema, isScalarType, Kind, type ValueNode } from 'graphql'
import { quote } from '../../../core/error.ts'
import { parseExactJson } from '../../../ops/kit/exact-json.ts'

type VariableValues = { [name: string]: unknown } | null | undefined

export function giveScalars(schema: GraphQLSchema): void {
  scalarIn(schema, 'JSON').parseLiteral = (node, variables) =>
    parseExactJson(jsonOf(node, variables))
  const moment = scalarIn(schema, 'DateTime')
  moment.parseValue = momentOf
  moment.parseLiteral = (node) => momentOf(node.kind === Kind.STRING ? node.value : undefined)
}

function scalarIn(schema: GraphQLSchema, name: string) {
  const type = schema.getType(name)
  if (!isScalarType(type)) throw new Error(`the schema has no scalar ${name}`)
  return type
}

/** Timestamps are compared as strings, so they all need the same format. */
function momentOf(value: unknown): string {
  const at =
    typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(at)) throw new GraphQLError(`${quote(value)} is not a moment in ISO 8601`)
  return new Date(at).toISOString()
}

function jsonOf(node: ValueNode, variables: VariableValues): string {
  switch (node.kind) {
    case Kind.LIST:
      return `[${node.values.map((one) => jsonOf(one, variables)).join(',')}]`
    case Kind.OBJECT:
      return `{${node.fields
        .map(({ name, value }) => `${JSON.stringify(name.value)}:${jsonOf(value, variables)}`)
        .join(',')}}`
    case Kind.VARIABLE: {
      const name = node.name.value
      const has = variables !== null && variables !== undefined && Object.hasOwn(variables, name)
      return JSON.stringify(has ? variables[name] : null) ?? 'null'
    }
    case Kind.STRING:
    case Kind.ENUM:
      return JSON.stringify(node.value)
    case Kind.NULL:
      return 'null'
    default:
      return String(node.value)
  }
}

export function upper<T extends string | null | undefined>(word: T): string | null {
  return word?.toUpperCase() ?? null
}

export function lower(word: string | null | undefined): string | undefined {
  return word?.toLowerCase()
}

export function orNull(text: string): string | null {
  return text === '' ? null : text
}

export function inSnakeCase(input: Record<string, unknown>): Record<string, unknown> {
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [snake(name), value]))
}
