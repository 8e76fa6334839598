import { expect, test } from 'bun:test'
import { canonicalText } from './canonical.ts'

/** Examples of RFC 8785, and what is easily got wrong. */
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
  // Keys are in the order of UTF-16 code units, so a surrogate stands before U+FB33.
  [
    '{"\\ufb33": 1, "\\ud83d\\ude00": 2, "\\u20ac": 3, "1": 4, "\\r": 5}',
    '{"\\r":5,"1":4,"€":3,"😀":2,"\ufb33":1}',
  ],
  ['{"__proto__": 1, "a": 2}', '{"__proto__":1,"a":2}'],
  ['-0', '0'],
]

test.each(TEXTS)('%s has one canonical text', (words, canonical) => {
  expect(canonicalText(JSON.parse(words))).toBe(canonical)
})
