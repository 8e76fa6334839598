import { expect, test } from 'bun:test'
import { keyed, newKeys } from './block-keys.ts'
import type { DocumentBlock } from './tree.ts'

const paragraph = (text: string): DocumentBlock => ({
  is: 'paragraph',
  inlines: [{ is: 'text', text }],
})

test('a block keeps its key when others come before it, and only the new ones are new', () => {
  const before = keyed([paragraph('One'), paragraph('Two')])
  const now = keyed([paragraph('Zero'), paragraph('One'), paragraph('Two, changed')])
  expect(now[1]?.key).toBe(before[0]?.key as string)
  expect(newKeys(before, now)).toEqual(new Set([now[0]?.key, now[2]?.key] as string[]))
})

test('blocks that are alike have keys of their own', () => {
  const blocks = keyed([paragraph('Same'), paragraph('Same'), { is: 'line' }, { is: 'line' }])
  expect(new Set(blocks.map(({ key }) => key)).size).toBe(4)
  const more = keyed([paragraph('Same'), paragraph('Same'), paragraph('Same')])
  expect(newKeys(blocks, more).size).toBe(1)
})
