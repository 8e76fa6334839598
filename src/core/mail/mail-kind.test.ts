import { expect, test } from 'bun:test'
import { MAIL } from './mail-kind.ts'

test('mail stays open, whatever is said in it', () => {
  expect(MAIL.moves).toEqual({ open: { answer: 'open', note: 'open', read: 'open' } })
})
