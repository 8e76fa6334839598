import { expect, test } from 'bun:test'
import { MAIL } from './mail-kind.ts'

test('mail always stays open', () => {
  expect(MAIL.moves).toEqual({ open: { answer: 'open', note: 'open', read: 'open' } })
})
