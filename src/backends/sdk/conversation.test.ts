import { afterAll, expect, test } from 'bun:test'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ModelMessage } from 'ai'
import { keepConversation, keepNewest, openConversation } from './conversation.ts'

const folder = fs.mkdtempSync(join(tmpdir(), 'conversation-'))
afterAll(() => fs.rmSync(folder, { recursive: true }))

const FILE = join(folder, 'conversation.json')

function turn(n: number, letters = 100): ModelMessage[] {
  const call = { toolCallId: `c${n}`, toolName: 'read_file' }
  return [
    { role: 'user', content: `mail ${n}` },
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', ...call, output: { type: 'text', value: 'x'.repeat(letters) } },
      ],
    },
    { role: 'assistant', content: `done ${n}` },
  ]
}

test('stores a conversation privately and continues it only by its name', () => {
  const fresh = openConversation(folder, null)
  expect(fresh.messages).toEqual([])
  keepConversation(folder, { ...fresh, messages: turn(1) })
  expect(fs.statSync(FILE).mode & 0o777).toBe(0o600)
  expect(openConversation(folder, fresh.session)).toEqual({ ...fresh, messages: turn(1) })
  expect(openConversation(folder, 'another').messages).toEqual([])
  expect(openConversation(folder, null).messages).toEqual([])
  expect(fs.readdirSync(folder)).toEqual(['conversation.json'])
})

test.each(['', '{', '[]', '{"session":1}', '{"session":"s","messages":{}}'])(
  'starts a new conversation if the file contains %j',
  (text) => {
    fs.writeFileSync(FILE, text)
    expect(openConversation(folder, 's').messages).toEqual([])
  },
)

test('drops old turns whole, so every call keeps its answer', () => {
  const size = JSON.stringify(turn(1)).length
  const all = [1, 2, 3, 4].flatMap((n) => turn(n))
  expect(keepNewest(all, size * 4)).toEqual(all)
  expect(keepNewest(all, size * 2.5)).toEqual([...turn(3), ...turn(4)])
})

test('keeps the start and end of a turn that is too long', () => {
  const [first, , , last] = turn(2, 5000)
  expect(keepNewest([...turn(1), ...turn(2, 5000)], 1000)).toEqual([first, last] as ModelMessage[])
  expect(keepNewest(turn(2, 5000).slice(0, 3), 1000)).toEqual([])
  expect(keepNewest([{ role: 'user', content: 'x'.repeat(5000) }], 1000)).toEqual([])
})
