import { expect, test } from 'bun:test'
import { Refusal } from '../../core/error.ts'
import { CATALOGUE, loadAll, loadOperation, type OperationName } from '../catalogue.ts'
import {
  artifacts,
  body,
  byDefault,
  choice,
  choices,
  type Fields,
  flag,
  id,
  int,
  json,
  list,
  name,
  path,
  required,
  self,
  text,
} from './field.ts'
import { readInput } from './read-input.ts'

function read(fields: Fields, raw: Record<string, unknown>, caller: { agent?: string } = {}) {
  return readInput(fields, raw, { agent: caller.agent })
}

function refusalOf(fields: Fields, raw: Record<string, unknown>): string {
  try {
    read(fields, raw)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'invalid_input') return error.message
    throw error
  }
  throw new Error(`taken: ${JSON.stringify(raw)}`)
}

test('leaves absent fields absent, and reports a missing required field', () => {
  const fields = { title: required(text('what it is')), note: text('more') }
  expect(read(fields, { title: 'x' })).toEqual({ title: 'x' })
  expect(read(fields, { title: 'x', note: undefined })).toEqual({ title: 'x' })
  expect(read(fields, { title: 'x', note: null })).toEqual({ title: 'x' })
  expect(refusalOf(fields, {})).toBe('title is missing: what it is')
})

test('fills in defaults for missing fields', () => {
  const fields = { limit: byDefault(int('how many', { min: 1 }), 50), more: int('also') }
  expect(read(fields, {})).toEqual({ limit: 50 })
  expect(read(fields, { limit: undefined })).toEqual({ limit: 50 })
  expect(read(fields, { limit: '7' })).toEqual({ limit: 7 })
  expect(read(fields, { limit: null })).toEqual({ limit: 50 })
})

test('only four mutations that take a key have defaults', async () => {
  const filled: string[] = []
  for (const { name, takesKey, fields } of await loadAll()) {
    const isFilled = Object.values(fields).some((field) => field.default !== undefined)
    if (takesKey && isFilled) filled.push(name)
  }
  // How long request ask and workflow stop wait isn't part of their keys.
  expect(filled.sort()).toEqual(['prune', 'request ask', 'sweep', 'workflow stop'])
})

test('rejects an unknown field and names it', () => {
  expect(refusalOf({ note: text('more') }, { nott: 'x' })).toBe('nott is not a known field')
  const long = refusalOf({ note: text('more') }, { ['n'.repeat(1000)]: 'x' })
  expect(long.length).toBeLessThan(120)
  expect(refusalOf({ note: text('more') }, { 'a\u001b[2J': 'x' })).toContain('\\u001b')
})

test('rejects any wrong value without calling its methods', () => {
  const odd = JSON.parse('{"toString":1,"valueOf":2}')
  for (const field of [int('how many'), choice(['a'], 'which'), choices(['a'], 'which')]) {
    for (const value of [odd, [odd], { length: 1 }]) {
      expect(refusalOf({ field }, { field: value })).toContain('field')
    }
  }
})

test('takes the agent from the caller unless the input has one', () => {
  const fields = { agent: required(self('who')) }
  expect(read(fields, {}, { agent: 'lead' })).toEqual({ agent: 'lead' })
  expect(read(fields, { agent: 'worker' }, { agent: 'lead' })).toEqual({ agent: 'worker' })
  expect(refusalOf(fields, {})).toContain('say who you are with agent')
})

test('never takes a plain name field from the caller', () => {
  expect(read({ to: name('whom') }, {}, { agent: 'lead' })).toEqual({})
})

test('accepts whole numbers in range, also as text', () => {
  const fields = { n: int('how many', { min: 1, max: 20 }) }
  for (const given of [1, 20, '1', '20', '007']) expect(read(fields, { n: given })).toBeTruthy()
  expect(read(fields, { n: '7' })).toEqual({ n: 7 })
  for (const given of [0, 21, -1, '0', '-1']) {
    expect(refusalOf(fields, { n: given })).toContain('out of range: 1 to 20')
  }
  for (const given of [1.5, '1.5', '1e1', '0x1', ' 1', '', 'ten', Number.NaN, true, [1], {}]) {
    expect(refusalOf(fields, { n: given })).toContain('is not a whole number')
  }
  expect(refusalOf({ n: int('any') }, { n: '9999999999999999999' })).toContain('whole number')
})

test('accepts only booleans for a flag', () => {
  expect(read({ f: flag('yes') }, { f: true })).toEqual({ f: true })
  for (const given of ['true', 1, 'yes']) refusalOf({ f: flag('yes') }, { f: given })
})

test('accepts only listed choices, and lists them in the refusal', () => {
  const fields = { kind: choice(['a', 'b'], 'which') }
  expect(read(fields, { kind: 'b' })).toEqual({ kind: 'b' })
  expect(refusalOf(fields, { kind: 'c' })).toBe('kind "c" is not one of a, b')
  for (const given of ['A', 'a ', 'a,b', 1]) refusalOf(fields, { kind: given })
})

test('accepts choices as a list or separated by commas, without duplicates', () => {
  const fields = { kinds: choices(['a', 'b', 'c'], 'which') }
  expect(read(fields, { kinds: 'c, a,c' })).toEqual({ kinds: ['c', 'a'] })
  expect(read(fields, { kinds: ['b'] })).toEqual({ kinds: ['b'] })
  for (const given of ['', ',', 'a,', 'a,d', [], [1], 7]) refusalOf(fields, { kinds: given })
})

test('rejects text that is empty, too long or not a string; a body can be empty', () => {
  const fields = { note: text('what', { max: 5 }) }
  expect(read(fields, { note: '12345' })).toEqual({ note: '12345' })
  expect(refusalOf(fields, { note: '123456' })).toContain('has 6 characters; at most 5 fit')
  for (const given of ['', ' \n', 5, true, ['x'], {}]) refusalOf(fields, { note: given })
  expect(read({ body: body('all') }, { body: '' })).toEqual({ body: '' })
  expect(refusalOf({ body: body('all', { max: 2 }) }, { body: 'abc' })).toContain(
    'put the rest into a file',
  )
})

test('a name starts with a letter, then has letters, digits, _ and -; instances and people are marked', () => {
  for (const good of ['a', 'Agent-7', 'code_reviewer', 'a@b', 'user', 'user:ann']) {
    read({ to: name('whom') }, { to: good })
  }
  const long = `a${'b'.repeat(64)}`
  const bads = ['7a', '_a', '-a', 'a b', 'a.b', 'ä', 'a\n', long, `a@${long}`, `user:${long}`]
  for (const bad of [
    ...bads,
    '@a',
    'a@',
    'a@b@c',
    'a@7',
    'user:',
    'user:7',
    'user:a@b',
    'role:a',
  ]) {
    expect(refusalOf({ to: name('whom') }, { to: bad })).toContain('to')
  }
})

test('keeps JSON text unchanged', () => {
  for (const words of ['{ "a" : 1.0 }', '[1e2]', 'null', '"x"', '7', '{"a":1,"a":2}']) {
    expect(read({ data: json('any') }, { data: words })).toEqual({ data: words })
  }
  for (const bad of ['', '{', "{'a':1}", '{"a":1,}', 'NaN', '{"a":1} x']) {
    expect(refusalOf({ data: json('any') }, { data: bad })).toContain('is not JSON')
  }
})

test('serializes JSON given as a value', () => {
  expect(read({ data: json('any') }, { data: { a: [1] } })).toEqual({ data: '{"a":[1]}' })
})

test('rejects escaped characters that cannot be stored, but not their escaped spelling', () => {
  const fields = { data: json('any') }
  for (const bad of ['\0', '\ud800', '\udfff', 'a\0b']) {
    for (const value of [bad, [bad], { a: { b: bad } }, { [bad]: 1 }]) {
      refusalOf(fields, { data: JSON.stringify(value) })
    }
  }
  for (const good of ['\\u0000', '\\ud800', '🎉', '\u{10ffff}']) {
    const words = JSON.stringify({ pattern: good })
    expect(read(fields, { data: words })).toEqual({ data: words })
  }
  expect(read(fields, { data: '"\\ud83c\\udf89"' })).toEqual({ data: '"\\ud83c\\udf89"' })
})

test('fills in the default kind and metadata of artifacts', () => {
  const fields = { artifacts: artifacts('files') }
  expect(read(fields, { artifacts: [{ path: 'a' }, { path: 'b', kind: 'log' }] })).toEqual({
    artifacts: [
      { path: 'a', kind: 'file', metadata_json: '{}' },
      { path: 'b', kind: 'log', metadata_json: '{}' },
    ],
  })
  for (const bad of [
    'a',
    [{}],
    [null],
    [{ path: '' }],
    [{ path: 'a', kind: '' }],
    [{ path: 'a', metadata_json: '{' }],
    [{ path: 'a\0' }],
    Array.from({ length: 51 }, () => ({ path: 'a' })),
  ]) {
    refusalOf(fields, { artifacts: bad })
  }
})

const TEXTS = ['self', 'name', 'id', 'text', 'body', 'path', 'json', 'choice']

test('every text field of every operation rejects what a store cannot keep', async () => {
  let fields = 0
  for (const op of await loadAll()) {
    for (const [key, field] of Object.entries(op.fields)) {
      if (!TEXTS.includes(field.kind)) continue
      fields += 1
      for (const bad of ['a\0b', 'a\ud800']) {
        expect(refusalOf({ [key]: field }, { [key]: bad })).toContain(key)
      }
    }
  }
  expect(fields).toBeGreaterThan(50)
})

test('accepts a list of texts without duplicates, or a single text', () => {
  const fields = { messages: list('which', { max: 3 }) }
  expect(read(fields, { messages: ['a', 'b', 'a'] })).toEqual({ messages: ['a', 'b'] })
  expect(read(fields, { messages: 'a,b' })).toEqual({ messages: ['a,b'] })
  for (const bad of [7, {}, [7], [''], ['a', ' '], ['a\0'], ['x'.repeat(1001)]]) {
    expect(refusalOf(fields, { messages: bad })).toContain('messages')
  }
  expect(refusalOf(fields, { messages: ['a', 'b', 'c', 'd'] })).toContain('at most 3 fit')
})

test('a list of paths also accepts objects with a path', () => {
  const fields = { docs: list('which', { ofPaths: true }) }
  expect(read(fields, { docs: [{ path: 'a' }, 'b', 'a'] })).toEqual({ docs: ['a', 'b'] })
  for (const bad of [{ path: 'a' }, [null], [{ file: 'a' }], [{ path: 7 }], [{ path: '' }]]) {
    expect(refusalOf(fields, { docs: bad })).toContain('docs')
  }
})

test('every operation is listed under its name and has a summary', async () => {
  for (const key of Object.keys(CATALOGUE) as OperationName[]) {
    const op = await loadOperation(key)
    expect(op.name).toBe(key)
    expect(op.summary).toMatch(/^[A-Z].*\.$/)
    expect(op.callers.length).toBeGreaterThan(0)
    expect(op.refusals).toContain('internal')
    for (const field of Object.values(op.fields)) expect(field.about).not.toBe('')
  }
})

test('ids and paths have their own length limits', () => {
  expect(refusalOf({ thread: id('which') }, { thread: 'x'.repeat(129) })).toContain('128')
  expect(refusalOf({ file: path('which') }, { file: 'x'.repeat(4097) })).toContain('4096')
})

test('rejects names inherited from Object, and ignores inherited values', () => {
  for (const key of ['constructor', 'toString', '__proto__']) {
    const raw = JSON.parse(`{"${key}":"x"}`)
    expect(refusalOf({ note: text('more') }, raw)).toContain('is not a known field')
  }
  const inherited = Object.create({ note: 'x' })
  expect(read({ note: text('more') }, inherited)).toEqual({})
})

test('rejects JSON nested too deeply, as text and as a value', () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const fields = { data: json('data') }
  expect(read(fields, { data: deep(100) })).toEqual({ data: deep(100) })
  for (const levels of [101, 40_000]) {
    expect(refusalOf(fields, { data: deep(levels) })).toContain('nested')
  }
  expect(refusalOf(fields, { data: JSON.parse(deep(101)) })).toContain('nested')
})

test('rejects numbers that JSON cannot represent', () => {
  const fields = { data: json('data') }
  for (const number of [Number.POSITIVE_INFINITY, Number.NaN]) {
    expect(refusalOf(fields, { data: { deep: [number] } })).toContain('cannot be written as JSON')
  }
})
