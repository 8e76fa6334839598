import { expect, test } from 'bun:test'
import { parseKeeping } from './parse-keeping.ts'
import { RepeatedName, repeatedNames } from './repeated-names.ts'

test('a name that comes twice in one object is found, inner ones first', () => {
  const places: [string, (string | number)[][]][] = [
    ['{"a":1,"a":2}', [['a']]],
    ['{"a":{"a":1},"b":[{"a":1},{"a":1}]}', []],
    ['[0,{"b":[{"c":1,"d":"c","c":1}]}]', [[1, 'b', 0, 'c']]],
    // Two spellings of one name.
    ['{"a":1,"\\u0061":2}', [['a']]],
    ['{"a\\"":1,"a\\u0022":2}', [['a"']]],
    // A text that only looks like it.
    ['{"a":"{\\"b\\":1,\\"b\\":2}","b":["a","a"]}', []],
    ['{"p":{"a":1,"a":2},"p":{}}', [['p', 'a'], ['p']]],
    ['{"__proto__":1,"__proto__":2}', [['__proto__']]],
    // A text that is no JSON is refused by others; here the search must only end.
    ['{"a":1,"a', []],
    [']}{"', []],
    ['', []],
  ]
  for (const [words, found] of places) expect([words, repeatedNames(words)]).toEqual([words, found])
})

test('a door reads such an object as something of which nothing can be made', () => {
  const hostile = [
    '{"p":{"a":1,"a":2}}',
    '{"p":{"a":1,"a":2},"p":{"b":1}}',
    '{"p":[{"__proto__":1,"__proto__":2}]}',
    '{"p":{"n":9007199254740993,"n":1}}',
  ]
  for (const words of hostile) {
    const { p } = parseKeeping(words) as { p: unknown }
    expect(() => JSON.stringify(p)).toThrow(RepeatedName)
  }
  const plain = '{"a":{"b":1},"c":[{"b":1},{"b":2}]}'
  expect(JSON.stringify(parseKeeping(plain))).toBe(plain)
  expect(Object.getPrototypeOf(parseKeeping('{"__proto__":1,"__proto__":2}'))).toBe(
    Object.prototype,
  )
})
