import { expect, test } from 'bun:test'
import { hasChangedNumber, parseNumbers } from './exact-numbers.ts'

test('a number that would be read as another is found, and texts are not looked at', () => {
  for (const wrong of ['9007199254740993', '1e999', '[1,{"a":-9007199254740993}]']) {
    expect([wrong, hasChangedNumber(wrong)]).toEqual([wrong, true])
  }
  const right = ['9007199254740992', '1e3', '"9007199254740993"', '"a\\\\\\"1e999"', '{"1e999":1}']
  for (const one of right) expect([one, hasChangedNumber(one)]).toEqual([one, false])
  expect(hasChangedNumber('"a\\\\",1e999')).toBe(true)
  expect(hasChangedNumber(`"${'x\\"'.repeat(1_000_000)}",9007199254740993`)).toBe(true)
})

test('the same number is found however it is written', () => {
  const wrong = [
    ...['9007199254740993.0', '9007199254740993e0', '9.007199254740993e15', '90071992547409930e-1'],
    ...['-9007199254740993E+0', '18014398509481985e0', '0.9007199254740993e16'],
    ...['1e-400', '5e-325', '-1e-400', `0.${'0'.repeat(400)}1`, `${'1'.repeat(30)}e280`],
  ]
  for (const one of wrong) expect([one, hasChangedNumber(one)]).toEqual([one, true])
  const right = [
    ...[
      '9007199254740992.0',
      '9.007199254740992e15',
      '90071992547409920e-1',
      '9007199254740993e-1',
    ],
    ...['9007199254740993.5', '0.1000000000000000055', '5e-324', '1e-7', '2.50e0'],
    ...['0e0', '-0', '-0.0e-5', '0e-400', `0.${'0'.repeat(400)}`, `0e${'9'.repeat(400)}`],
    // They come out as they went in.
    ...['1e23', '1.7976931348623157e308', '6.02214076e+23', '1180591620717411303424'],
    `1${'0'.repeat(1_000_000)}e-1000000`,
  ]
  for (const one of right) expect([one, hasChangedNumber(one)]).toEqual([one, false])
})

test('such a number keeps its words, and every other is a number', () => {
  const read = parseNumbers('{"a":[9007199254740993,2.50],"b":1e999}')
  expect(JSON.stringify(read)).toBe('{"a":[9007199254740993,2.5],"b":1e999}')
})
