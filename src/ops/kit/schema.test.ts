import { expect, test } from 'bun:test'
import { loadAll } from '../catalogue.ts'
import {
  artifacts,
  byDefault,
  choice,
  choices,
  flag,
  int,
  json,
  list,
  required,
  self,
  text,
} from './field.ts'
import { schemaOf } from './schema.ts'

test('the schema of each field matches the input check', () => {
  const fields = {
    agent: required(self('who')),
    word: required(text('a word', { max: 5 })),
    number: byDefault(int('how many', { min: 1, max: 9 }), 3),
    one: choice(['a', 'b'], 'one of two', { leftOut: 'either' }),
    some: choices(['a', 'b'], 'some of two'),
    more: list('texts', { max: 4 }),
    yes: flag('or no'),
    data: json('anything'),
    files: artifacts('files'),
  }
  expect(schemaOf(fields)).toEqual({
    type: 'object',
    properties: {
      word: { type: 'string', maxLength: 5, description: 'a word' },
      number: { type: 'integer', minimum: 1, maximum: 9, description: 'how many', default: 3 },
      one: { type: 'string', enum: ['a', 'b'], description: 'one of two (default: either)' },
      some: {
        type: 'array',
        items: { type: 'string', enum: ['a', 'b'] },
        description: 'some of two',
      },
      more: { type: 'array', items: { type: 'string' }, maxItems: 4, description: 'texts' },
      yes: { type: 'boolean', description: 'or no' },
      data: { description: 'anything' },
      files: {
        type: 'array',
        items: {
          type: 'object',
          properties: { path: { type: 'string' }, kind: { type: 'string' }, metadata_json: {} },
          required: ['path'],
        },
        maxItems: 50,
        description: 'files',
      },
    },
    required: ['word'],
    additionalProperties: false,
  })
})

test('every operation has a schema, and none requires the caller’s name', async () => {
  for (const op of await loadAll()) {
    const { properties = {}, required = [] } = schemaOf(op.fields)
    for (const [key, field] of Object.entries(op.fields)) {
      const isSaid = field.kind !== 'self' || field.positional === true
      expect([op.name, key, key in properties]).toEqual([op.name, key, isSaid])
      if (field.kind === 'self') expect(required).not.toContain(key)
    }
  }
})
