import { expect, test } from 'bun:test'
import { Refusal } from '../../core/error.ts'
import { mustBeOfType } from './payload.ts'

function payloadOf(bytes: number, letter: string): string {
  const [head, tail] = ['{"a":"', '"}']
  const room = bytes - head.length - tail.length
  return head + letter.repeat(room / new TextEncoder().encode(letter).length) + tail
}

test('rejects a payload over one mebibyte, counted in bytes', () => {
  for (const letter of ['a', 'é', '😀']) {
    expect(() => mustBeOfType('chore', payloadOf(1_048_576, letter))).not.toThrow()
    // An emoji is two UTF-16 units but four bytes, so a full payload has only half the units that a field allows.
    expect(() => mustBeOfType('chore', payloadOf(1_048_584, letter))).toThrow(Refusal)
  }
})
