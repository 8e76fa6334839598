import { expect, test } from 'bun:test'
import {
  isRequirement,
  isRequirementHolder,
  namesBehind,
  requirementOfTool,
} from './requirement.ts'

test('a requirement is a type, or a tool with a pattern', () => {
  const good = ['config_change', 'hire-agent', 'tool:Bash', 'tool:*', 'tool:Bash(rm *)']
  for (const text of [...good, 'tool:mcp__github__*', 'tool:Edit(*.env)', 'tool:Bash(a (b) c)']) {
    expect([text, isRequirement(text)]).toEqual([text, true])
  }
  const bad = ['', 'tool:', 'tool:Bash(', 'tool:Bash()', 'tool:a b', 'config change', 'tool: Bash']
  for (const text of [...bad, 'tool:Bash(a\nb)', `tool:${'x'.repeat(200)}`, ' config_change']) {
    expect([text, isRequirement(text)]).toEqual([text, false])
  }
})

test('a requirement is for an agent or a role', () => {
  for (const name of ['builder', 'builder@shop', 'role:builder']) {
    expect([name, isRequirementHolder(name)]).toEqual([name, true])
  }
  for (const name of [
    'user',
    'user:eve',
    'broadcast',
    'system',
    'role:',
    'role:a b',
    '@shop',
    '',
  ]) {
    expect([name, isRequirementHolder(name)]).toEqual([name, false])
  }
})

test('a requirement also applies to further sessions and to agents of a workflow', () => {
  expect(namesBehind('claude')).toEqual(['claude'])
  expect(namesBehind('claude-2')).toEqual(['claude-2', 'claude'])
  expect(namesBehind('writer-3@shop')).toEqual([
    'writer-3@shop',
    'writer-3',
    'writer',
    'writer@shop',
  ])
})

const asked = (pattern: string, tool: string, args: Parameters<typeof requirementOfTool>[2] = {}) =>
  requirementOfTool(['config_change', `tool:${pattern}`], tool, args) !== undefined

test('matches a pattern against the tool’s name', () => {
  expect(asked('Bash', 'Bash')).toBe(true)
  expect(asked('Bash', 'BashOutput')).toBe(false)
  expect(asked('mcp__github__*', 'mcp__github__push')).toBe(true)
  expect(asked('mcp__*__push', 'mcp__github__push')).toBe(true)
  expect(asked('mcp__*__push', 'mcp__github__pull')).toBe(false)
  expect(asked('*', 'Write')).toBe(true)
  // A single letter can't match both the letter before the star and the one after it.
  expect(asked('a*a', 'a')).toBe(false)
})

test('matches the pattern in parentheses against the whole command and its parts', () => {
  const bash = (command: string) => asked('Bash(rm *)', 'Bash', { command, description: 'rm x' })
  for (const command of ['rm x', 'cd y && rm x', 'true; rm -rf .', 'a | rm x', 'echo $(rm x)']) {
    expect([command, bash(command)]).toEqual([command, true])
  }
  for (const command of ['ls', 'arm x', 'echo rm', 'rmdir x']) {
    expect([command, bash(command)]).toEqual([command, false])
  }
  expect(asked('Bash(git push*)', 'Bash', { command: 'git  status' })).toBe(false)
  expect(asked('Write(*.env)', 'Write', { file_path: '/x/.env', content: '' })).toBe(true)
  expect(asked('Write(*.env)', 'Write', { file_path: '/x/env', content: '' })).toBe(false)
  expect(asked('Write(*.env)', 'Write', null)).toBe(false)
})

test('matches a long text with many stars quickly', () => {
  const began = performance.now()
  expect(asked(`Bash(${'a*'.repeat(60)}b)`, 'Bash', { command: 'a'.repeat(1_000_000) })).toBe(false)
  expect(performance.now() - began).toBeLessThan(500)
})
