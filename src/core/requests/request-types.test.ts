import { expect, test } from 'bun:test'
import { faultOfAnswer, faultOfSchema } from './answer-form.ts'
import type { Json } from './json.ts'
import { faultOf, type REQUEST_TYPES } from './request-types.ts'

/** For each type a payload that is right, and others with what is wrong about them. */
const PAYLOADS: Record<keyof typeof REQUEST_TYPES, { right: Json[]; wrong: [Json, string][] }> = {
  config_change: {
    right: [{ target: 'api', current: {}, proposed: { limit: 2 } }],
    wrong: [
      [{ target: 'api', current: {} }, 'payload.proposed is missing'],
      [{ target: 1, current: {}, proposed: {} }, 'payload.target is not a text'],
      [{ target: '', current: [], proposed: {} }, 'payload.current is not an object'],
      [
        { target: '', current: {}, proposed: {}, x: 1 },
        'payload has "x", which its type does not know',
      ],
    ],
  },
  knowledge_upload: {
    right: [
      {
        destination: 'kb',
        files: [{ name: 'a.md', media_type: 'text/markdown', size: 3, text: 'abc' }],
      },
    ],
    wrong: [
      [{ destination: 'kb', files: [] }, 'payload.files is empty'],
      [
        { destination: 'kb', files: [{ name: 'a', media_type: 'b', size: 1 }] },
        'payload.files[0] needs a path or a text, and not both',
      ],
      [
        { destination: 'kb', files: [{ name: 'a', media_type: 'b', size: -1, path: 'a' }] },
        'payload.files[0].size is not a whole number from 0',
      ],
    ],
  },
  tool_invocation: {
    right: [
      { tool: 'rm', arguments: { path: '/' } },
      {
        ...{ tool: 'rm', arguments: {}, description: 'all of it' },
        risk: { level: 'critical', score: 0.9, reasons: ['deletes'], touches: ['/'] },
      },
    ],
    wrong: [
      [{ tool: 'rm', arguments: 'all' }, 'payload.arguments is not an object'],
      [
        { tool: 'rm', arguments: {}, risk: { level: 'huge', reasons: [], touches: [] } },
        'payload.risk.level is not one of low, medium, high, critical',
      ],
    ],
  },
  workspace_review: {
    right: [
      { body: 'See', target_path: 'a.md', changes: [{ kind: 'edit', path: 'a', summary: 'b' }] },
    ],
    wrong: [
      [{ body: 'See', target_path: 'a.md', changes: {} }, 'payload.changes is not a list'],
      [
        { body: 'See', target_path: 'a.md', changes: [{ kind: 'edit', path: 'a' }] },
        'payload.changes[0].summary is missing',
      ],
    ],
  },
  question: {
    right: [{ text: 'Why?' }, { text: 'Which?', options: ['a', 'b'] }],
    wrong: [
      [{ text: 'Which?', options: ['a'] }, 'payload.options has fewer than two'],
      [
        { text: 'Which?', options: ['a', 'b'], schema: {} },
        'payload has options and a schema; a question has one of them, or neither',
      ],
    ],
  },
}

test.each(Object.entries(PAYLOADS))(
  'a payload of %s is known when it is right',
  (type, { right, wrong }) => {
    for (const payload of right) expect(faultOf(type, payload)).toBeNull()
    for (const [payload, fault] of wrong) expect(faultOf(type, payload)).toBe(fault)
    expect(wrong.length).toBeGreaterThan(0)
  },
)

test('a payload of another type is any object', () => {
  expect(faultOf('hire_agent', { anything: 1 })).toBeNull()
  expect(faultOf('toString', {})).toBeNull()
})

const SCHEMA = {
  type: 'object',
  properties: {
    city: { type: 'string', enum: ['Bern', 'Rome'] },
    nights: { type: 'integer', minimum: 1, maximum: 9 },
    mail: { type: 'string', format: 'email', maxLength: 20 },
    quiet: { type: 'boolean' },
  },
  required: ['city'],
}

test('an answer fits its form, or the fault is named', () => {
  expect(faultOfSchema(SCHEMA)).toBeNull()
  const faults: [Json, string | null][] = [
    [{ city: 'Bern', nights: 2, mail: 'a@b.c', quiet: true }, null],
    [{ nights: 2 }, '"city" is missing'],
    [{ city: 'Oslo' }, '"city" is not one of Bern, Rome'],
    [{ city: 'Bern', nights: 2.5 }, '"nights" is not a whole number'],
    [{ city: 'Bern', nights: 10 }, '"nights" is more than 9'],
    [{ city: 'Bern', mail: 'nobody' }, '"mail" is not of format email'],
    [{ city: 'Bern', mail: 'a@bcdefghijklmnopqrstuvw' }, '"mail" is longer than 20'],
    [{ city: 'Bern', quiet: 'yes' }, '"quiet" is not true or false'],
    [{ city: 'Bern', stars: 5 }, '"stars" was not asked for'],
    [[], 'the answer is not an object'],
  ]
  for (const [answer, fault] of faults) expect(faultOfAnswer(SCHEMA, answer)).toBe(fault)
})

test('a form is flat', () => {
  const faults: [Json, string][] = [
    [{ type: 'array' }, 'the schema is not of type object'],
    [{ type: 'object', properties: {} }, 'the schema has no properties'],
    [
      { type: 'object', properties: { a: { type: 'object' } } },
      'property "a" is not of type string, number, integer, boolean',
    ],
    [
      { type: 'object', properties: { a: { type: 'string', enum: [1] } } },
      'the enum of property "a" is not a list of texts',
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['b'] },
      '"b" is required and not a property',
    ],
  ]
  for (const [schema, fault] of faults) expect(faultOfSchema(schema)).toBe(fault)
})
