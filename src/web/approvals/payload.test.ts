import { expect, test } from 'bun:test'
import { REQUEST_TYPES } from '../../core/requests/request-types.ts'
import { VIEWS } from './payload.tsx'
import { typeOf } from './type-words.ts'

test('every type of request that is known has a view and a word of its own', () => {
  expect(Object.keys(VIEWS).toSorted()).toEqual(Object.keys(REQUEST_TYPES).toSorted())
  for (const type of Object.keys(REQUEST_TYPES)) {
    expect({ type, word: typeOf(type).word }).not.toEqual({ type, word: type.replaceAll('_', ' ') })
  }
  expect(typeOf('dns_cutover').word).toBe('dns cutover')
})
