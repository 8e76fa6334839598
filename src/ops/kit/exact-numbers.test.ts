import { expect, test } from 'bun:test'
import { hasChangedNumber, parseKeeping } from './exact-numbers.ts'

test('a number that would be read as another is found, and texts are not looked at', () => {
  for (const wrong of ['9007199254740993', '1e999', '[1,{"a":-9007199254740993}]']) {
    expect([wrong, hasChangedNumber(wrong)]).toEqual([wrong, true])
  }
  const right = ['9007199254740992', '1e3', '"9007199254740993"', '"a\\\\\\"1e999"', '{"1e999":1}']
  for (const one of right) expect([one, hasChangedNumber(one)]).toEqual([one, false])
  expect(hasChangedNumber('"a\\\\",1e999')).toBe(true)
  expect(hasChangedNumber(`"${'x\\"'.repeat(1_000_000)}",9007199254740993`)).toBe(true)
})

test('such a number keeps its words, and every other is a number', () => {
  const read = parseKeeping('{"a":[9007199254740993,2.50],"b":1e999}')
  expect(JSON.stringify(read)).toBe('{"a":[9007199254740993,2.5],"b":1e999}')
})
