// The JSON Schema of an operation's input, from the same fields that validate it. It tells a caller what to write;
// only read-input.ts decides whether the input is valid.

import type { Field, FieldKind, Fields } from './field.ts'

export type JsonSchema = {
  type?: string
  description?: string
  enum?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  items?: JsonSchema
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean
  default?: string | number | boolean | string[]
}

const ARTIFACT: JsonSchema = {
  type: 'object',
  properties: { path: { type: 'string' }, kind: { type: 'string' }, metadata_json: {} },
  required: ['path'],
}

const PATH: JsonSchema = {
  anyOf: [
    { type: 'string' },
    { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  ],
}

const SHAPES: Record<FieldKind, (field: Field) => JsonSchema> = {
  self: shortText,
  name: shortText,
  address: shortText,
  id: shortText,
  text: shortText,
  path: shortText,
  body: shortText,
  json: () => ({}),
  int: ({ min = 0, max }) => ({ type: 'integer', minimum: min, maximum: max }),
  choice: ({ of }) => ({ type: 'string', ...(of && { enum: [...of] }) }),
  choices: ({ of }) => ({ type: 'array', items: { type: 'string', ...(of && { enum: [...of] }) } }),
  list: ({ max, ofPaths }) => ({
    type: 'array',
    items: ofPaths ? PATH : { type: 'string' },
    maxItems: max,
  }),
  flag: () => ({ type: 'boolean' }),
  artifacts: ({ max }) => ({ type: 'array', items: ARTIFACT, maxItems: max }),
}

function shortText({ max }: Field): JsonSchema {
  return { type: 'string', maxLength: max }
}

/** The schema of one field, without its description. */
export function shapeOf(field: Field): JsonSchema {
  return SHAPES[field.kind](field)
}

export function defaultOf({ default: usual }: Pick<Field, 'default'>): JsonSchema {
  return usual === undefined ? {} : { default: usual as NonNullable<JsonSchema['default']> }
}

/** The whole schema. The caller's identity comes from the transport and isn't a field to fill in. */
export function schemaOf(fields: Fields): JsonSchema {
  const given = Object.entries(fields).filter(([, { kind, positional }]) => {
    return kind !== 'self' || positional
  })
  const properties = given.map(([key, field]): [string, JsonSchema] => {
    const also = field.leftOut === undefined ? '' : ` (default: ${field.leftOut})`
    return [key, { ...shapeOf(field), description: field.about + also, ...defaultOf(field) }]
  })
  // A positional name is the subject of the call. It's not required, because it defaults to the caller.
  const required = given.filter(([, field]) => field.required && field.kind !== 'self')
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required: required.map(([key]) => key) }),
    additionalProperties: false,
  }
}
