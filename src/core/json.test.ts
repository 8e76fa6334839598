import { expect, test } from 'bun:test'
import { canonicalText } from './json.ts'

/** Examples from RFC 8785, and cases that are easy to get wrong. */
const TEXTS: [string, string][] = [
  ['{"b": 2, "a": [1, {"d": null, "c": true}]}', '{"a":[1,{"c":true,"d":null}],"b":2}'],
  [
    '[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001]',
    '[333333333.3333333,1e+30,4.5,0.002,1e-27]',
  ],
  [
    '"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/"',
    '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"',
  ],
  // Keys are ordered by UTF-16 code units, so a surrogate comes before U+FB33.
  [
    '{"\\ufb33": 1, "\\ud83d\\ude00": 2, "\\u20ac": 3, "1": 4, "\\r": 5}',
    '{"\\r":5,"1":4,"€":3,"😀":2,"\ufb33":1}',
  ],
  ['{"__proto__": 1, "a": 2}', '{"__proto__":1,"a":2}'],
  ['-0', '0'],
  ['[-0.0, 0e5, 1.0, 100E-2]', '[0,0,1,1]'],
  [
    '[1e21, 1e20, 123456789012345680000, 1e-6, 1e-7]',
    '[1e+21,100000000000000000000,123456789012345680000,0.000001,1e-7]',
  ],
  ['[5e-324, 1.7976931348623157e308]', '[5e-324,1.7976931348623157e+308]'],
  // Control characters are escaped in lower case, by their short form if they have one; nothing else is escaped.
  ['"\\u007f\\u2028\\b\\u0009\\u001B/"', '"\u007f\u2028\\b\\t\\u001b/"'],
  // Numeric names sort as strings; JavaScript would put them first, in numeric order.
  ['{"10": 1, "9": 2, "a": 3, "": 4}', '{"":4,"10":1,"9":2,"a":3}'],
]

test.each(TEXTS)('%s has one canonical text', (words, canonical) => {
  expect(canonicalText(JSON.parse(words))).toBe(canonical)
})
