import { expect, test } from 'bun:test'
import type { Json } from '../json.ts'
import { faultOfAnswer, faultOfSchema } from './answer-form.ts'
import { faultOf, type REQUEST_TYPES } from './request-types.ts'

/** For each type, valid payloads, and invalid ones with their errors. */
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
        tool: 'rm',
        arguments: {},
        description: 'all of it',
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

test('accepts any object as the payload of another type', () => {
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

test('checks an answer against its form and names the fault', () => {
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

test('rejects nested forms', () => {
  const faults: [Json, string][] = [
    [{ type: 'array' }, 'the schema is not of type object'],
    [{ type: 'object', properties: {} }, 'the schema has no properties'],
    [
      { type: 'object', properties: { a: { type: 'object' } } },
      'property "a" is not of type string, number, integer, boolean',
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['b'] },
      '"b" is required and not a property',
    ],
  ]
  for (const [schema, fault] of faults) expect(faultOfSchema(schema)).toBe(fault)
})

test('rejects unsupported and meaningless keywords in a form by name', () => {
  const faults: [{ [key: string]: Json }, string][] = [
    [{ type: 'string', pattern: '^a' }, 'has "pattern", which type string does not have in a form'],
    [{ type: 'string', const: 'a' }, 'has "const", which type string'],
    [{ type: 'string', toString: 'a' }, 'has "toString", which type string'],
    [{ type: 'string', minimum: 1 }, 'has "minimum", which type string'],
    [{ type: 'number', exclusiveMinimum: 1 }, 'has "exclusiveMinimum", which type number'],
    [{ type: 'number', exclusiveMaximum: 1 }, 'has "exclusiveMaximum", which type number'],
    [{ type: 'integer', enum: [1] }, 'has "enum", which type integer'],
    [{ type: 'number', minimum: '5' }, 'has minimum "5", not a number'],
    [{ type: 'string', maxLength: -1 }, 'has maxLength -1, not a whole number from 0'],
    [{ type: 'string', minLength: 1.5 }, 'has minLength 1.5, not a whole number from 0'],
    [
      { type: 'string', format: 'ipv4' },
      'has format "ipv4", not one of email, uri, date, date-time',
    ],
    [{ type: 'string', format: 'toString' }, 'has format "toString", not one of'],
    [{ type: 'string', enum: [1] }, 'has enum [1], not a list of texts'],
    [{ type: 'string', enum: [] }, 'has enum [], not a list of texts'],
    [{ type: 'string', enum: ['a', 'a'] }, 'has enum ["a","a"], not a list of texts, each'],
    [{ type: 'string', enum: ['a'], enumNames: ['A', 'B'] }, 'has enumNames that are not as many'],
    [{ type: 'string', enumNames: ['A'] }, 'has enumNames that are not as many'],
    [{ type: 'string', oneOf: [] }, 'has oneOf [], not a list of choices'],
    [{ type: 'string', oneOf: [{ const: 1, title: 'A' }] }, 'has oneOf [{"const":1,"title":"A"}]'],
    [{ type: 'string', oneOf: [{ const: 'a', title: 'A', not: {} }] }, 'has oneOf [{'],
    [
      { type: 'string', enum: ['a'], oneOf: [{ const: 'a', title: 'A' }] },
      'has enum and oneOf; use one of them',
    ],
    [{ type: 'number', minimum: 2, maximum: 1 }, 'has a minimum above its maximum'],
    [{ type: 'string', minLength: 2, maxLength: 1 }, 'has a minLength above its maxLength'],
    [{ type: 'string', title: 1 }, 'has title 1, not a text'],
    [{ type: 'integer', maximum: 3, default: 4 }, 'has a default that is more than 3'],
    [{ type: 'boolean', default: 'yes' }, 'has a default that is not true or false'],
  ]
  for (const [property, fault] of faults) {
    const schema = { type: 'object', properties: { a: property } }
    expect(faultOfSchema(schema)).toStartWith(`property "a" ${fault}`)
    // An imported form may be invalid, so it's checked again when it's answered.
    expect(faultOfAnswer(schema, {})).toStartWith('its form cannot be answered: property "a"')
  }
  const whole: [{ [key: string]: Json }, string][] = [
    [{ required: 'a' }, 'the required of the schema is not a list of texts'],
    [{ anyOf: [] }, 'the schema has "anyOf", which a form does not have'],
    [{ additionalProperties: true }, 'the additionalProperties of the schema is not false'],
  ]
  for (const [more, fault] of whole) {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, ...more }
    expect(faultOfSchema(schema)).toStartWith(fault)
  }
})

test('enforces every constraint of a form on its answer', () => {
  const titled = [
    { const: 'r', title: 'Red' },
    { const: 'b', title: 'Blue' },
  ]
  const fits: [{ [key: string]: Json }, Json[], [Json, string][]][] = [
    [{ type: 'string', oneOf: titled, default: 'r' }, ['r', 'b'], [['Red', 'is not one of r, b']]],
    [
      { type: 'string', enum: ['r', 'b'], enumNames: ['Red', 'Blue'] },
      ['b'],
      [['Blue', 'is not one of r, b']],
    ],
    [
      { type: 'string', minLength: 1, maxLength: 2 },
      ['😀😀', 'é'],
      [
        ['', 'is shorter than 1'],
        ['😀😀😀', 'is longer than 2'],
      ],
    ],
    [{ type: 'string', minLength: 2 }, ['😀a'], [['😀', 'is shorter than 2']]],
    [
      { type: 'string', format: 'date' },
      ['2024-02-29', '0001-01-01'],
      ['2023-02-29', '2024-13-01', '2024-04-31', '2024-00-10', '2024-1-1', ''].map(
        (day): [Json, string] => [day, 'is not of format date'],
      ),
    ],
    [
      { type: 'string', format: 'date-time' },
      ['2024-02-29T23:59:59Z', '2024-02-29T00:00:00.5+14:00'],
      [
        '2023-02-29T00:00:00Z',
        '2024-01-01T24:00:00Z',
        '2024-01-01T00:60:00Z',
        '2024-01-01T00:00:61Z',
        '2024-01-01T00:00:00+24:00',
        '2024-01-01T00:00:00',
        '2024-01-01',
      ].map((at): [Json, string] => [at, 'is not of format date-time']),
    ],
    [{ type: 'string', format: 'uri' }, ['https://a.b'], [['a b', 'is not of format uri']]],
    [{ type: 'number', minimum: 1.5 }, [1.5], [[1.4, 'is less than 1.5']]],
  ]
  for (const [property, right, wrong] of fits) {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { a: property },
      additionalProperties: false,
    }
    expect(faultOfSchema(schema)).toBeNull()
    for (const value of right) expect(faultOfAnswer(schema, { a: value })).toBeNull()
    for (const [value, fault] of wrong) {
      expect(faultOfAnswer(schema, { a: value })).toBe(`"a" ${fault}`)
    }
  }
})
