import { expect, test } from 'bun:test'
import { Refusal } from '../../core/error.ts'
import { nearest } from '../../core/nearest.ts'
import { artifacts, body, flag, id, int, list, self, text } from '../../ops/kit/field.ts'
import { arities, parseFlags, rawInput } from './argv.ts'
import { withNearestFlag } from './refusal.ts'

const FIELDS = {
  thread: id('which', { positional: true }),
  lease_seconds: int('how long'),
  summary: text('what'),
  unread: flag('only new'),
  body: body('all of it'),
  artifacts: artifacts('files'),
}

function parse(...args: string[]) {
  try {
    return parseFlags(args, arities(FIELDS), 'inbox x --help')
  } catch (error) {
    throw withNearestFlag(error as Refusal)
  }
}

function raw(...args: string[]) {
  const read = (_flag: string, path: string) => `<${path}>`
  const found = rawInput(FIELDS, parse(...args), read)
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

function refusalOf(call: () => unknown): string {
  try {
    call()
  } catch (error) {
    if (error instanceof Refusal && error.code === 'invalid_input') return error.message
    throw error
  }
  throw new Error('it was taken')
}

test('a value follows its flag or an =', () => {
  expect(raw('--lease-seconds', '5', '--summary=a=b')).toEqual({
    lease_seconds: '5',
    summary: 'a=b',
  })
  expect(raw('--summary=')).toEqual({ summary: '' })
  expect(raw('--summary', '-5')).toEqual({ summary: '-5' })
  expect(raw('--summary', '-')).toEqual({ summary: '-' })
})

test('a value that begins with dashes needs =', () => {
  expect(refusalOf(() => parse('--summary', '--unread'))).toContain('--summary=')
  expect(raw('--summary=--unread')).toEqual({ summary: '--unread' })
  expect(refusalOf(() => parse('--summary'))).toContain('--summary needs a value')
})

test('a switch takes no value and can be anywhere', () => {
  expect(raw('--unread', 'thr_1')).toEqual({ unread: true, thread: 'thr_1' })
  expect(refusalOf(() => parse('--unread=yes'))).toBe('--unread takes no value')
})

test('rejects a flag given twice, unless it is a list', () => {
  expect(refusalOf(() => parse('--summary', 'a', '--summary', 'b'))).toContain('given twice')
  expect(refusalOf(() => parse('--unread', '--unread'))).toContain('given twice')
  expect(parse('--artifact', 'a', '--artifact', 'b').flags.get('--artifact')).toEqual(['a', 'b'])
})

test('rejects an unknown flag and suggests the nearest one', () => {
  expect(refusalOf(() => parse('--sumary', 'x'))).toContain('did you mean --summary?')
  expect(refusalOf(() => parse('--colour'))).toContain("see 'inbox x --help'")
  expect(refusalOf(() => parse('-x'))).toContain('"-x" is not a flag')
})

test('-- ends the flags; -h asks for help', () => {
  expect(parse('--unread', '--', '--summary').words).toEqual(['--summary'])
  expect(parse('-h').flags.has('--help')).toBe(true)
})

test('a bare argument is the positional field; a second one is rejected', () => {
  expect(raw('thr_1')).toEqual({ thread: 'thr_1' })
  expect(raw('--thread', 'thr_2')).toEqual({ thread: 'thr_2' })
  expect(refusalOf(() => raw('thr_1', 'thr_2'))).toContain('unexpected "thr_2"')
  expect(refusalOf(() => raw('--thread', 'thr_1', 'thr_2'))).toContain('unexpected "thr_2"')
})

test('a positional name is the subject and --agent the caller; either alone is both', () => {
  const fields = { agent: self('which', { positional: true }) }
  const read = (...args: string[]) =>
    rawInput(fields, parseFlags(args, arities(fields), 'inbox x --help'), () => '')
  expect(read('builder')).toEqual({ agent: 'builder' })
  expect(read('--agent', 'lead', 'builder')).toEqual({ agent: 'builder' })
  expect(read('--agent', 'lead')).toEqual({ agent: 'lead' })
  expect(refusalOf(() => read('a', 'b'))).toContain('unexpected "b"')
})

test('a list repeats its singular flag, and can be positional', () => {
  const read = (positional: boolean, ...args: string[]) => {
    const fields = { messages: list('which', positional ? { positional: true } : {}) }
    return rawInput(fields, parseFlags(args, arities(fields), 'inbox x --help'), () => '')
  }
  expect(read(false, '--message', 'a', '--message=b')).toEqual({ messages: ['a', 'b'] })
  expect(read(false)).toEqual({ messages: undefined })
  expect(read(true, 'a', 'b', '--message=c')).toEqual({ messages: ['c', 'a', 'b'] })
  expect(refusalOf(() => read(false, 'a'))).toContain('unexpected "a"')
})

test('takes a body from its flag or from a file, but not both', () => {
  expect(raw('--body', 'x')).toEqual({ body: 'x' })
  expect(raw('--body-file', 'notes.md')).toEqual({ body: '<notes.md>' })
  expect(raw('--body-file', '-')).toEqual({ body: '<->' })
  expect(refusalOf(() => raw('--body', '', '--body-file', 'x'))).toContain('cannot be combined')
})

test('artifacts pair with their kinds and metadata by position', () => {
  expect(
    raw('--artifact', 'a', '--artifact-kind', 'log', '--artifact', 'b', '--artifact-kind', 'txt'),
  ).toEqual({
    artifacts: [
      { path: 'a', kind: 'log', metadata_json: undefined },
      { path: 'b', kind: 'txt', metadata_json: undefined },
    ],
  })
  for (const args of [
    ['--artifact-kind', 'log'],
    ['--artifact', 'a', '--artifact', 'b', '--artifact-kind', 'log'],
    ['--artifact', 'a', '--artifact-metadata-json', '{}', '--artifact-metadata-json', '{}'],
  ]) {
    expect(refusalOf(() => raw(...args))).toContain('they pair by position')
  }
})

test('suggests a word only if it is close enough', () => {
  const words = ['claim', 'cancel', 'list', 'wait-reply']
  expect(nearest('clam', words)).toBe('claim')
  expect(nearest('cancle', words)).toBe('cancel')
  expect(nearest('waitreply', words)).toBe('wait-reply')
  expect(nearest('frobnicate', words)).toBeUndefined()
  expect(nearest('x', [])).toBeUndefined()
  for (const word of ['frob', 'xyz', 'go', 'agent']) {
    expect([word, nearest(word, ['run', 'new', 'ls', 'send'])]).toEqual([word, undefined])
  }
})
