import { expect, test } from 'bun:test'
import { refuse } from '../../core/error.ts'
import { inWords } from './run-tool.ts'
import { TOOLS } from './tools.ts'

function said(tool: string, message: string): string {
  const found = TOOLS.find(({ name }) => name === tool)
  if (found === undefined) throw new Error(tool)
  return inWords(found, refuse('invalid_input', message).message)
}

test('flags are called as the tool’s own arguments, commands as tools', () => {
  expect(said('send_message', '--body is missing: write something, or at least --subject')).toBe(
    'body is missing: write something, or at least subject',
  )
  expect(
    said('send_message', '--in-reply-to names nothing; --timeout-seconds belongs to --wait'),
  ).toBe('inReplyTo names nothing; waitSeconds belongs to wait')
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
  ).toBe("register it with register_agent; see 'inbox help'")
})

test('a field at the beginning is the argument’s name; a sentence about a thread is left as it is', () => {
  expect(said('mark_read', 'messages must be a list')).toBe('messageIds must be a list')
  expect(said('message_receipts', 'limit 900 is out of range: 1 to 500')).toBe(
    'limit 900 is out of range: 1 to 500',
  )
  expect(said('message_receipts', 'message "x y" is not one')).toBe('messageId "x y" is not one')
  expect(said('message_receipts', 'thread thr_1 is done')).toBe('thread thr_1 is done')
})
