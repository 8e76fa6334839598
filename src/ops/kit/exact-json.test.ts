import { expect, test } from 'bun:test'
import {
  hasChangedNumber,
  hasRoundedNumber,
  parseExactJson,
  parseNumbers,
  RepeatedName,
  repeatedNames,
} from './exact-json.ts'

test('finds numbers that change when parsed, and skips strings', () => {
  for (const wrong of ['9007199254740993', '1e999', '[1,{"a":-9007199254740993}]']) {
    expect([wrong, hasChangedNumber(wrong)]).toEqual([wrong, true])
  }
  const right = ['9007199254740992', '1e3', '"9007199254740993"', '"a\\\\\\"1e999"', '{"1e999":1}']
  for (const one of right) expect([one, hasChangedNumber(one)]).toEqual([one, false])
  expect(hasChangedNumber('"a\\\\",1e999')).toBe(true)
  expect(hasChangedNumber(`"${'x\\"'.repeat(1_000_000)}",9007199254740993`)).toBe(true)
})

test('compares numbers by value in every notation', () => {
  const wrong = [
    '9007199254740993.0',
    '9007199254740993e0',
    '9.007199254740993e15',
    '90071992547409930e-1',
    '-9007199254740993E+0',
    '18014398509481985e0',
    '0.9007199254740993e16',
    '1e-400',
    '5e-325',
    '-1e-400',
    `0.${'0'.repeat(400)}1`,
    `${'1'.repeat(30)}e280`,
  ]
  for (const one of wrong) expect([one, hasChangedNumber(one)]).toEqual([one, true])
  const right = [
    '9007199254740992.0',
    '9.007199254740992e15',
    '90071992547409920e-1',
    '9007199254740993e-1',
    '9007199254740993.5',
    '0.1000000000000000055',
    '5e-324',
    '1e-7',
    '2.50e0',
    '0e0',
    '-0',
    '-0.0e-5',
    '0e-400',
    `0.${'0'.repeat(400)}`,
    `0e${'9'.repeat(400)}`,
    // These survive parsing.
    '1e23',
    '1.7976931348623157e308',
    '6.02214076e+23',
    '1180591620717411303424',
    `1${'0'.repeat(1_000_000)}e-1000000`,
  ]
  for (const one of right) expect([one, hasChangedNumber(one)]).toEqual([one, false])
})

test('finds numbers that would be written back with a different digit', () => {
  const wrong = [
    '1.9999999999999999999999',
    '9007199254740993.5',
    '0.1000000000000000055',
    '4.9e-324',
    // In these, the decimal point splits the digits.
    '99999999.999999999',
    '-12345678.123456789',
    '1.2345678901234567890E5',
    '0.30000000000000001',
    // Exact as a double, but written back as 1.1805916207174113e+21.
    '1180591620717411303424',
    '9007199254740993',
    '1e999',
    '1e-400',
    `1${'0'.repeat(400)}`,
    '[0.1,{"a":[1.00000000000000000001]}]',
    '{"1":"1",":":2.0000000000000000001}',
  ]
  for (const one of wrong) expect([one, hasRoundedNumber(one)]).toEqual([one, true])
  const right = [
    '0.1',
    '1e2',
    '1E+2',
    '1.50',
    '1.5e0',
    '-0',
    '-0.0e-5',
    '0e-400',
    '0.000001',
    '123456789.123456',
    '0.30000000000000004',
    '9007199254740992',
    '1.7976931348623157e308',
    '5e-324',
    '1e23',
    '6.02e23',
    '100000000000000000000000',
    '0.10000000000000000000000',
    '15e-1',
    '0.0000001',
    '1.0e-7',
    '"1.9999999999999999999999"',
    '{"9007199254740993.5":1}',
    '"\\"",0.1',
    `${Number.MAX_VALUE}`,
    `0.${'0'.repeat(400)}`,
    `1${'0'.repeat(1_000_000)}e-1000000`,
    `0e${'9'.repeat(400)}`,
  ]
  for (const one of right) expect([one, hasRoundedNumber(one)]).toEqual([one, false])
})

test('keeps the source text of numbers that parsing would change', () => {
  const read = parseNumbers('{"a":[9007199254740993,2.50],"b":1e999}')
  expect(JSON.stringify(read)).toBe('{"a":[9007199254740993,2.5],"b":1e999}')
  const fraction = '{"a":1.9999999999999999999999}'
  expect(JSON.stringify(parseNumbers(fraction))).toBe(fraction)
})

test('finds names repeated in one object, innermost first', () => {
  const places: [string, (string | number)[][]][] = [
    ['{"a":1,"a":2}', [['a']]],
    ['{"a":{"a":1},"b":[{"a":1},{"a":1}]}', []],
    ['[0,{"b":[{"c":1,"d":"c","c":1}]}]', [[1, 'b', 0, 'c']]],
    // The same key, written with and without an escape.
    ['{"a":1,"\\u0061":2}', [['a']]],
    ['{"a\\"":1,"a\\u0022":2}', [['a"']]],
    // A string that only looks like repeated keys.
    ['{"a":"{\\"b\\":1,\\"b\\":2}","b":["a","a"]}', []],
    ['{"p":{"a":1,"a":2},"p":{}}', [['p', 'a'], ['p']]],
    ['{"__proto__":1,"__proto__":2}', [['__proto__']]],
    // Invalid JSON is refused elsewhere. Here, the search only has to terminate.
    ['{"a":1,"a', []],
    [']}{"', []],
    ['', []],
  ]
  for (const [words, found] of places) expect([words, repeatedNames(words)]).toEqual([words, found])
})

test('an object with a repeated name throws when used or serialized', () => {
  const hostile = [
    '{"p":{"a":1,"a":2}}',
    '{"p":{"a":1,"a":2},"p":{"b":1}}',
    '{"p":[{"__proto__":1,"__proto__":2}]}',
    '{"p":{"n":9007199254740993,"n":1}}',
  ]
  for (const words of hostile) {
    const { p } = parseExactJson(words) as { p: unknown }
    expect(() => JSON.stringify(p)).toThrow(RepeatedName)
  }
  const plain = '{"a":{"b":1},"c":[{"b":1},{"b":2}]}'
  expect(JSON.stringify(parseExactJson(plain))).toBe(plain)
  expect(Object.getPrototypeOf(parseExactJson('{"__proto__":1,"__proto__":2}'))).toBe(
    Object.prototype,
  )
})
