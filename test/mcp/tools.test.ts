// Tests what a tool list costs a conversation, and what must be true of every tool in it.

import { expect, test } from 'bun:test'
import { getEncoding } from 'js-tiktoken'
import { TOOL_SETS } from '../../src/core/principal.ts'
import { answer, SPELLINGS, spellAnswer } from '../../src/doors/mcp/answer.ts'
import { instructionsFor } from '../../src/doors/mcp/server.ts'
import { listTools, loadTools, type Tool, toolsOf } from '../../src/doors/mcp/tools.ts'
import { operationNamed } from '../../src/ops/known-caller.ts'

const TOOLS = await loadTools()
const encoding = getEncoding('o200k_base')
const tokens = (value: unknown) => encoding.encode(JSON.stringify(value)).length

test.each([...TOOL_SETS])('the list of %s costs at most 1,500 tokens', async (set) => {
  const list = await listTools(await toolsOf([set]))
  expect(list.length).toBeGreaterThan(0)
  // Counts everything sent, including what a model doesn't see.
  expect(tokens(list)).toBeLessThanOrEqual(1500)
})

test('instructions are short with any sets', () => {
  expect(tokens(instructionsFor('a-name-of-usual-length', TOOL_SETS))).toBeLessThanOrEqual(400)
  // A long policy is truncated, followed by the number of items left out.
  const required = Array.from({ length: 50 }, (_, at) => `tool:${'x'.repeat(20)}${at}`)
  const text = instructionsFor('me', ['requests'], { required })
  expect(text).toContain('x19 (type')
  expect(text).not.toContain('x20')
  expect(text).toContain('; and before 30 more things.')
})

test('every tool has annotations, alwaysLoad, and a unique name', async () => {
  const list = await listTools(TOOLS)
  expect(new Set(list.map(({ name }) => name)).size).toBe(list.length)
  for (const { name, annotations, _meta, description } of list) {
    const op = await operationNamed(TOOLS.find((tool) => tool.name === name)?.op as string)
    expect([name, annotations]).toEqual([
      name,
      op.writes === 'nothing'
        ? { readOnlyHint: true }
        : { destructiveHint: false, openWorldHint: false },
    ])
    expect(_meta).toEqual({ 'anthropic/alwaysLoad': true })
    // The hook that holds tools back recognizes our tools by names of this form.
    expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(description.length).toBeGreaterThan(15)
  }
})

test('no tool has an argument for who is calling, or one its operation lacks', async () => {
  for (const tool of TOOLS) {
    const { fields } = await operationNamed(tool.op)
    for (const [name, { field = name }] of Object.entries(tool.args)) {
      expect([tool.name, name, fields[field]?.kind ?? 'no field']).not.toEqual([
        tool.name,
        name,
        'no field',
      ])
      expect([tool.name, name, fields[field]?.kind]).not.toEqual([tool.name, name, 'self'])
    }
  }
})

test('every operation is in the set of its tool, or in all sets', async () => {
  for (const tool of TOOLS) {
    const { set } = await operationNamed(tool.op)
    expect([tool.name, set === 'every' || set === tool.set]).toEqual([tool.name, true])
  }
})

test('every argument is described, and spelled like the answers of its tool', async () => {
  const list = await listTools(TOOLS)
  for (const { name, inputSchema } of list) {
    const { set, args } = TOOLS.find((tool) => tool.name === name) as Tool
    for (const [arg, { description = '' }] of Object.entries(inputSchema.properties)) {
      expect([name, arg, description]).not.toEqual([name, arg, ''])
    }
    const odd = SPELLINGS[set] === 'camel' ? /_/ : /[A-Z]/
    expect([name, ...Object.keys(args).filter((arg) => odd.test(arg))]).toEqual([name])
  }
})

test('records in an answer are spelled like its own names', async () => {
  const { answer: holds } = await operationNamed('agent list')
  const times = { seen_at: null, waiting_until: null, leased_until: null, turn_at: null }
  const said = { message_id: 'm', thread_id: 't', summary: 's', body: '', created_at: 'now' }
  const agent = { agent_id: 'a', evidence: { by: 'nothing', at: null, ...times }, said }
  const text = JSON.stringify(spellAnswer('mailbox', holds, { agents: [agent] }))
  expect(text).toContain('"leasedUntil"')
  expect(text).not.toContain('_')
})

test('arguments an operation requires are required in its tool', async () => {
  for (const tool of TOOLS) {
    const { fields } = await operationNamed(tool.op)
    const given = Object.entries(tool.args)
    for (const [key, { kind, required }] of Object.entries(fields)) {
      if (!required || kind === 'self') continue
      const arg = given.find(([name, { field = name }]) => field === key)
      expect([tool.name, key, arg?.[1].required]).toEqual([tool.name, key, true])
    }
  }
})

test('an empty list says so, without framing it as others’ data', async () => {
  const empty = { messages: [], threads: [], entries: [] }
  for (const name of ['inbox_read', 'message_receipts', 'read_messages', 'thread_fetch']) {
    const tool = TOOLS.find((one) => one.name === name) as Tool
    const { content } = answer(tool, await operationNamed(tool.op), empty)
    expect(content.map(({ text }) => text)).toEqual([
      tool.nothing,
      JSON.stringify(empty),
    ] as string[])
  }
})

test('every thread command has a tool, named after it, before all others', async () => {
  const verbs = ['send', 'fetch', 'claim', 'renew', 'update', 'reply', 'done', 'fail', 'cancel']
  const all = [...verbs, 'list', 'show', 'watch', 'wait-reply']
  const tools = (await toolsOf(['threads'])).map(({ op, name }) => [op as string, name])
  expect(tools.slice(0, all.length).map(([op]) => op as string)).toEqual(all)
  for (const [op = '', name] of tools) expect(name).toBe(`thread_${op.replace(/[ -]/, '_')}`)
})

test('texts name only existing tools', () => {
  const names = TOOLS.map(({ name }) => name)
  const texts = [
    ...TOOLS.flatMap(({ does, nothing = '' }) => [does, nothing]),
    instructionsFor('me', TOOL_SETS),
  ]
  const named = texts.flatMap((text) => text.match(/\b(thread|inbox)_[a-z_]+\b/g) ?? [])
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !names.includes(name))).toEqual([])
})
