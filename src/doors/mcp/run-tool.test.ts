import { expect, test } from 'bun:test'
import { refuse } from '../../core/error.ts'
import { inWords, rawInput } from './run-tool.ts'
import { TOOLS } from './tools.ts'

function tool(named: string) {
  const found = TOOLS.find(({ name }) => name === named)
  if (found === undefined) throw new Error(named)
  return found
}

function said(named: string, message: string): string {
  return inWords(tool(named), refuse('invalid_input', message).message)
}

function raw(named: string, args: Record<string, unknown>) {
  return rawInput(tool(named), args, 'me')
}

test('arguments become the fields of the operation', () => {
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
  expect(raw('inbox_push', { docs: [{ path: 'a.md' }, 'b.md'] })).toEqual({
    docs: ['a.md', 'b.md'],
  })
  expect(raw('inbox_read', { self: true })).toEqual({ from: 'me', limit: 20 })
  expect(raw('inbox_read', { self: false })).toEqual({ limit: 20 })
})

test('nothing waits for longer than clients do, nor for ever', () => {
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

test('an argument that is none is refused, with those there are', () => {
  expect(() => raw('mark_read', { agent: 'bob' })).toThrow('it takes messageIds, all')
})

test('flags are called as the tool’s own arguments, commands as tools', () => {
  expect(said('send_message', '--body is missing: write something, or at least --subject')).toBe(
    'body is missing: write something, or at least subject',
  )
  expect(
    said('send_message', '--in-reply-to names nothing; --timeout-seconds belongs to --wait'),
  ).toBe('inReplyTo names nothing; timeoutSeconds belongs to wait')
  expect(said('mark_read', 'say which: --message ID, as often as needed, or --all')).toBe(
    'say which: messageIds ID, as often as needed, or all',
  )
  expect(said('thread_show', "there is no thread thr_1; see 'inbox list'")).toBe(
    'there is no thread thr_1; see thread_list',
  )
  expect(
    said(
      'send_message',
      "register it with 'inbox agent register bob --role NAME'; see 'inbox help'",
    ),
  ).toBe("register it with 'inbox agent register bob --role NAME'; see 'inbox help'")
})

test('a remedy names a tool that does it, and else the command for the shell', () => {
  expect(said('inbox_show', "there is no push nope; see 'inbox push history'")).toBe(
    'there is no push nope; see inbox_read',
  )
  expect(said('mark_read', "there is no message nope; see 'inbox mail peek --all'")).toBe(
    'there is no message nope; see read_messages',
  )
  expect(said('thread_reply', "it is a push; answer it with 'inbox push reply id'")).toBe(
    "it is a push; answer it with 'inbox push reply id'",
  )
})

test('a field at the beginning is the argument’s name; a sentence about a thread is left as it is', () => {
  expect(said('mark_read', 'messages must be a list')).toBe('messageIds must be a list')
  expect(said('message_receipts', 'limit 900 is out of range: 1 to 500')).toBe(
    'limit 900 is out of range: 1 to 500',
  )
  expect(said('message_receipts', 'message "x y" is not one')).toBe('messageId "x y" is not one')
  expect(said('message_receipts', 'thread thr_1 is done')).toBe('thread thr_1 is done')
})
