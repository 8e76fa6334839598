import { expect, test } from 'bun:test'
import {
  callerBy,
  field,
  operation,
  quote,
  refuse,
  type Sentence,
  sentence,
} from '../../core/error.ts'
import { LONGEST_TOOL_WAIT_SECONDS } from '../../ops/kit/tool.ts'
import { makeMcpWords, rawInput } from './run-tool.ts'
import { loadTools, toolsOf } from './tools.ts'

const TOOLS = await loadTools()

function tool(named: string) {
  const found = TOOLS.find(({ name }) => name === named)
  if (found === undefined) throw new Error(named)
  return found
}

function said(named: string, sentence: Sentence, offered = TOOLS): string {
  return refuse.invalid_input`${sentence}`.inWords(makeMcpWords(tool(named), offered))
}

function raw(named: string, args: Record<string, unknown>) {
  return rawInput(tool(named), args, 'me')
}

test('maps arguments to the fields of the operation', () => {
  expect(
    raw('read_messages', { unreadOnly: false, since: 17, timeoutSeconds: 3, limit: null }),
  ).toEqual({
    all: true,
    since: '17',
    timeout_seconds: 3,
  })
  expect(raw('mark_read', { messageIds: ['a'] })).toEqual({ messages: ['a'] })
  expect(
    raw('thread_done', { thread: 't', summary: 's', artifacts: ['a.md', { path: 'b' }] }),
  ).toEqual({
    thread: 't',
    summary: 's',
    artifacts: [{ path: 'a.md' }, { path: 'b' }],
  })
  expect(raw('inbox_read', { self: true })).toEqual({ from: 'me', limit: 20 })
  expect(raw('inbox_read', { self: false })).toEqual({ limit: 20 })
})

test('limits every wait to what clients allow', () => {
  for (const [asked, given] of [
    [600, 45],
    [0, 1],
    [7, 7],
    [undefined, 45],
  ]) {
    expect(raw('thread_watch', { timeout_seconds: asked })).toEqual({ timeout_seconds: given })
  }
  expect(raw('read_messages', { timeoutSeconds: 600 })).toEqual({ timeout_seconds: 45 })
  expect(raw('read_messages', {})).toEqual({})
  const words = { type: 'status', to: 'a', body: 'b' }
  expect(raw('send_message', words)).toEqual(words)
  expect(raw('send_message', { ...words, wait: 'read' })).toMatchObject({ timeout_seconds: 45 })
})

test('rejects an unknown argument and lists the known ones', () => {
  expect(() => raw('mark_read', { agent: 'bob' })).toThrow('it takes messageIds, all')
})

test('names fields as the tool’s arguments, and operations as tools', () => {
  expect(said('mark_read', sentence`name them with ${field('messages')}, or ${field('all')}`)).toBe(
    'name them with messageIds, or all',
  )
  expect(said('send_message', sentence`${field('in_reply_to')} names ${callerBy('from')}`)).toBe(
    'inReplyTo names from',
  )
  expect(said('thread_done', field('artifacts.kind'))).toBe('artifacts.kind')
  expect(said('inbox_read', field('db'))).toBe('--db')
  expect(said('thread_show', sentence`see ${operation('list')}`)).toBe('see thread_list')
  expect(said('inbox_show', sentence`see ${operation('push history')}`)).toBe('see inbox_read')
})

test('names a tool with its arguments', () => {
  const claim = operation('claim', { thread: 'thr_1' })
  expect(said('thread_done', sentence`claim it with ${claim}`)).toBe(
    'claim it with thread_claim {"thread":"thr_1"}',
  )
  const reply = operation('mail send', { in_reply_to: 'MESSAGE' })
  expect(said('thread_reply', reply)).toBe('send_message {"inReplyTo":"MESSAGE"}')
})

test('names a shell command where no tool does the operation for that agent', () => {
  expect(said('thread_reply', operation('push reply', { entry: 'thr_1' }))).toBe(
    "'inbox push reply'",
  )
  expect(said('send_message', operation('agent register', { agent: 'bob' }))).toBe(
    "'inbox agent register'",
  )
  expect(said('send_message', operation('agent register', { role: 'NAME' }))).toBe(
    'register_agent {"role":"NAME"}',
  )
})

test('leaves quoted caller text unchanged', () => {
  expect(said('mark_read', sentence`there is no ${quote("--all 'inbox list' messages")}`)).toBe(
    `there is no "--all 'inbox list' messages"`,
  )
})

test('does not name a tool the caller is not offered', async () => {
  const push = operation('push')
  expect(said('send_message', sentence`show it with ${push}`)).toBe('show it with inbox_push')
  const mailbox = await toolsOf(['mailbox'])
  expect(said('send_message', sentence`show it with ${push}`, mailbox)).toBe(
    "show it with 'inbox push'",
  )
})

test('fills in the default of an omitted argument only where it applies', () => {
  const waits = { timeout_seconds: LONGEST_TOOL_WAIT_SECONDS }
  expect(raw('thread_wait_reply', { thread: 'thr_1' })).toMatchObject(waits)
  expect(raw('thread_watch', { timeout_seconds: null })).toMatchObject(waits)
  expect(raw('inbox_read', {})).toMatchObject({ limit: 20 })
  expect(raw('send_message', { to: 'bob', body: 'Hi', wait: 'read' })).toMatchObject(waits)
  // A message sent without waiting has no timeout.
  expect(raw('send_message', { to: 'bob', body: 'Hi' })).not.toHaveProperty('timeout_seconds')
})
