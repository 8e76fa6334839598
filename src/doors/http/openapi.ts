// The OpenAPI description, made from the tables that also route and run the calls.

import { CODES } from '../../core/error.ts'
import { ANSWER_NOTES, recordsOf } from '../../ops/answer-notes.ts'
import { loadAll } from '../../ops/catalogue.ts'
import type { AnswerValue, Holds } from '../../ops/kit/answer.ts'
import type { Operation } from '../../ops/kit/operation.ts'
import { schemaOf } from '../../ops/kit/schema.ts'
import { pathName } from './ops-route.ts'
import type { Route } from './route.ts'

export async function openApi(routes: readonly Route[], version: string): Promise<object> {
  const told = (await loadAll()).filter((op) => !op.internal)
  const ops = told.filter((op) => op.at === undefined)
  const paths: Record<string, Record<string, object>> = {}
  for (const op of ops) paths[`/api/ops/${pathName(op.name)}`] = { post: operation(op) }
  for (const route of routes) {
    if (route.path === '/api/ops/:name') continue
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'inbox', version, description: 'One durable inbox for agents and people.' },
    paths,
    components: {
      schemas: { Refusal: REFUSAL, ...records(told) },
      securitySchemes: { token: TOKEN },
    },
    security: [{ token: [] }],
  }
}

const TOKEN = { type: 'http', scheme: 'bearer' }
const REFUSAL = {
  type: 'object',
  required: ['ok', 'error'],
  properties: {
    ok: { const: false },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { enum: Object.keys(CODES) }, message: { type: 'string' } },
    },
  },
}
const REFUSED = {
  description: 'Refused.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
}

/** The refusals that any route for known callers can return. */
const FOR_THE_KNOWN = {
  401: {
    ...REFUSED,
    description: 'The server does not know who you are, or your token is not valid.',
  },
  403: { ...REFUSED, description: 'You may not do this.' },
  404: {
    ...REFUSED,
    description: 'What you name is not there, or no store has the id in ?store=.',
  },
}

function operation(op: Operation): object {
  const schema = schemaOf(op.fields)
  const statuses = [...new Set(op.refusals.map((code) => CODES[code].http))].sort()
  return {
    operationId: pathName(op.name).replaceAll('-', '_'),
    summary: op.summary,
    ...(op.about === undefined ? {} : { description: op.about }),
    'x-callers': op.callers,
    ...(op.takesKey ? { parameters: [KEY] } : {}),
    requestBody: {
      content: op.readsFile
        ? { 'application/x-ndjson': { schema: { type: 'string' } } }
        : { 'application/json': { schema } },
    },
    responses: {
      200: { description: 'Done.', content: answerContent(op) },
      ...Object.fromEntries(statuses.map((status) => [status, REFUSED])),
      ...FOR_THE_KNOWN,
    },
  }
}

const KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  schema: { type: 'string', maxLength: 200 },
  description: 'makes a retry with the same key return the first answer',
}

function answerContent({ streams, name, answer }: Operation): object {
  if (streams) return { 'application/x-ndjson': { schema: { type: 'string' } } }
  const known = { ok: { const: true }, command: { const: name } }
  const { properties, required } = objectOf({ ...ANSWER_NOTES, ...answer })
  const schema = {
    type: 'object',
    required: ['ok', 'command', ...required],
    properties: { ...known, ...properties },
  }
  return { 'application/json': { schema } }
}

function objectOf(holds: Holds) {
  const entries = Object.entries(holds)
  return {
    type: 'object',
    required: entries.flatMap(([name, { optional }]) => (optional ? [] : [name])),
    properties: Object.fromEntries(entries.map(([name, value]) => [name, schemaFor(value)])),
  }
}

const JSON_TYPES = { text: 'string', number: 'number', boolean: 'boolean', list: 'array' }

function schemaFor(value: AnswerValue): object {
  const { type, about: description, orNull, of, record } = value
  if (type === 'any') return { description }
  if (type === 'record') {
    const ref = { $ref: `#/components/schemas/${componentName(record?.name ?? '')}` }
    return orNull ? { description, anyOf: [ref, { type: 'null' }] } : { description, ...ref }
  }
  const json = JSON_TYPES[type]
  return {
    type: orNull ? [json, 'null'] : json,
    description,
    ...(of && { items: schemaFor(of) }),
  }
}

function records(ops: Operation[]): Record<string, object> {
  const all = [...recordsOf(ops)]
  return Object.fromEntries(all.map(([name, holds]) => [componentName(name), objectOf(holds)]))
}

function componentName(name: string): string {
  return name.replace(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Redirects and 202 responses have no content. */
const EMPTY = ['202', '303']

function answersOf({ answers = { 200: 'Done.' }, gives = 'application/json' }: Route): object {
  const entries = Object.entries(answers).map(([status, description]) => {
    return [
      status,
      EMPTY.includes(status) ? { description } : { description, content: { [gives]: {} } },
    ]
  })
  return Object.fromEntries(entries)
}

function describeRoute(route: Route): object {
  const named = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
  const parameters = [
    ...named.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...Object.entries(route.query ?? {}).map(([name, { description, ...schema }]) => {
      return { name, in: 'query', description, schema }
    }),
    ...(route.takesKey ? [KEY] : []),
  ]
  return {
    summary: route.about,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body === undefined
      ? {}
      : { requestBody: { content: { 'application/json': { schema: route.body } } } }),
    ...(route.who === 'anyone' ? { security: [] } : {}),
    responses: {
      ...(route.who !== 'anyone' ? FOR_THE_KNOWN : {}),
      ...answersOf(route),
      default: REFUSED,
    },
  }
}
