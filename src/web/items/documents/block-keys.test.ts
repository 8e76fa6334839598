import { expect, test } from 'bun:test'
import { keyBlocks, newKeys } from './block-keys.ts'
import type { DocumentBlock } from './tree.ts'

const paragraph = (text: string): DocumentBlock => ({
  is: 'paragraph',
  inlines: [{ is: 'text', text }],
})

test('unchanged blocks keep their keys, and only added or changed ones are new', () => {
  const before = keyBlocks([paragraph('One'), paragraph('Two')])
  const now = keyBlocks([paragraph('Zero'), paragraph('One'), paragraph('Two, changed')])
  expect(now[1]?.key).toBe(before[0]?.key as string)
  expect(newKeys(before, now)).toEqual(new Set([now[0]?.key, now[2]?.key] as string[]))
})

test('equal blocks have different keys', () => {
  const blocks = keyBlocks([paragraph('Same'), paragraph('Same'), { is: 'line' }, { is: 'line' }])
  expect(new Set(blocks.map(({ key }) => key)).size).toBe(4)
  const more = keyBlocks([paragraph('Same'), paragraph('Same'), paragraph('Same')])
  expect(newKeys(blocks, more).size).toBe(1)
})
