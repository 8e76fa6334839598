import { expect, test } from 'bun:test'
import {
  belongsTo,
  commandWords,
  expandName,
  renameCommands,
  shortName,
  typedCommand,
} from './program.ts'

function spelled(line: string): string {
  const { program, args } = expandName('agent-worker', line.split(' ').filter(Boolean))
  return [program, ...args].join(' ')
}

test('adds the program’s group before the command', () => {
  expect(spelled('stop reviewer')).toBe('agent-worker workflow stop reviewer')
  expect(spelled('--db x.db --agent a context doc read')).toBe(
    'agent-worker --db x.db --agent a workflow context doc read',
  )
  expect(spelled('workflow stop')).toBe('agent-worker workflow stop')
  expect(expandName('inbox', ['stop'])).toEqual({ program: 'inbox', args: ['stop'] })
})

test('leaves common commands unchanged, and adds the group after help', () => {
  for (const line of ['', '--help', '--version', 'version', 'help', 'completion bash', '--json'])
    expect(spelled(line)).toBe(`agent-worker ${line}`.trim())
  expect(spelled('help stop')).toBe('agent-worker help workflow stop')
  expect(spelled('help workflow stop')).toBe('agent-worker help workflow stop')
  expect(spelled('help version')).toBe('agent-worker help version')
})

test('inbox as the first word reaches all commands', () => {
  expect(spelled('inbox wake exec --wake w')).toBe('inbox wake exec --wake w')
  expect(spelled('--db x.db inbox list')).toBe('inbox --db x.db list')
})

test('prints a command as the caller types it', () => {
  expect(typedCommand('agent-worker', 'workflow stop reviewer')).toBe('agent-worker stop reviewer')
  expect(typedCommand('agent-worker', 'workflow')).toBe('agent-worker')
  expect(typedCommand('agent-worker', 'mail send')).toBe('inbox mail send')
  expect(typedCommand('inbox', 'workflow stop')).toBe('inbox workflow stop')
  expect(shortName('agent-worker', 'workflow context read')).toBe('context read')
  expect(shortName('inbox', 'workflow context read')).toBe('workflow context read')
  expect(belongsTo('agent-worker', 'workflows')).toBe(false)
  expect(renameCommands('agent-worker', "see 'inbox workflow list' and 'inbox list'")).toBe(
    "see 'agent-worker list' and 'inbox list'",
  )
})

test('reads at most four words, and skips flags', () => {
  expect(commandWords(['--db', 'x', 'a', '--json', 'b', 'c', 'd', 'e'])).toEqual([
    'a',
    'b',
    'c',
    'd',
  ])
})
