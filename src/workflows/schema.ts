// The JSON Schema of workflow files, for editors, generated from the table of keys. It only knows shapes; the reader also
// checks names that must match, such as placeholders.

import { FILE, type FileKey, type KeyShape } from './keys.ts'

type FileSchema = Record<string, unknown>

export function workflowSchema(): FileSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'workflow file of agent-worker',
    ...schemaOf(FILE),
  }
}

function schemaOf(shape: KeyShape): FileSchema {
  switch (shape.is) {
    case 'text': {
      const { most, line, form } = shape
      const pattern = form?.pattern.source ?? (line ? '^[^\\r\\n]*$' : undefined)
      return { type: 'string', maxLength: most, ...(pattern === undefined ? {} : { pattern }) }
    }
    case 'whole':
      return { type: 'integer', minimum: shape.least, maximum: shape.most }
    case 'span':
      return {
        anyOf: [
          { type: 'integer', minimum: shape.least, maximum: shape.most },
          { type: 'string', pattern: '^\\d{1,9}[smhd]?$' },
        ],
      }
    case 'wakeup':
      return {
        anyOf: [
          { type: 'integer', minimum: 1 },
          { type: 'string', pattern: '^(\\d{1,9}[smhd]?|\\S+(\\s+\\S+){4,6})$' },
        ],
      }
    case 'choice':
      return { enum: [...shape.of] }
    case 'flag':
      return { type: 'boolean' }
    case 'scalar':
      return { type: ['string', 'number', 'boolean'] }
    case 'list': {
      const { of, least, most } = shape
      const atLeast = least === undefined ? {} : { minItems: least }
      return { type: 'array', items: schemaOf(of), ...atLeast, maxItems: most }
    }
    case 'names':
      return {
        type: 'object',
        propertyNames: { pattern: shape.pattern.source },
        additionalProperties: schemaOf(shape.of),
        minProperties: 1,
        maxProperties: shape.most,
      }
    case 'keys':
      return objectOf(shape.keys)
    case 'off or':
      return { anyOf: [{ const: false }, schemaOf(shape.of)] }
  }
}

/** An optional key can also be left empty. */
function objectOf(keys: Record<string, FileKey>): FileSchema {
  const properties = Object.entries(keys).map(([name, { about, shape, required }]) => {
    const schema = schemaOf(shape)
    const described = { description: about }
    return [name, required ? { ...described, ...schema } : { ...described, ...orEmpty(schema) }]
  })
  const required = Object.keys(keys).filter((name) => keys[name]?.required)
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
}

function orEmpty(schema: FileSchema): FileSchema {
  const { anyOf } = schema
  return { anyOf: [...(Array.isArray(anyOf) ? anyOf : [schema]), { type: 'null' }] }
}
