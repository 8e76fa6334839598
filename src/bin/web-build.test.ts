import { expect, test } from 'bun:test'
import { shortClassNames, withoutEmptyRules, withShortNames } from './web-build.ts'

const CSS =
  '.button_hgB9MA{color:red}.buttons_hgB9MA .by_hgB9MA{top:0}.row_xx-YYz{left:0}.empty_xx-YYz{}@media (x){.empty_xx-YYz{}.row_xx-YYz{left:1px}}'

test('every class gets a name of its own, that depends on its module alone', () => {
  const short = shortClassNames(CSS)
  expect(new Set(short.values()).size).toBe(5)
  const without = shortClassNames(CSS.replace('.row_xx-YYz{left:0}', ''))
  for (const name of ['button_hgB9MA', 'buttons_hgB9MA', 'by_hgB9MA'])
    expect(without.get(name)).toBe(short.get(name) as string)
})

test('the style sheet and the scripts have the same names, and no other word is touched', () => {
  const short = shortClassNames(CSS)
  const script = 'x={button:"button_hgB9MA",both:"button_hgB9MA buttons_hgB9MA",a_b:"other_abcdef"}'
  const changed = withShortNames(script, short)
  expect(changed).toBe(
    `x={button:"${short.get('button_hgB9MA')}",both:"${short.get('button_hgB9MA')} ${short.get('buttons_hgB9MA')}",a_b:"other_abcdef"}`,
  )
  expect(withShortNames(CSS, short)).toContain(`.${short.get('row_xx-YYz')}{left:0}`)
})

test('rules that say nothing are left out', () => {
  expect(withoutEmptyRules(CSS)).not.toContain('{}')
  expect(withoutEmptyRules(CSS)).toContain('.row_xx-YYz{left:0}')
})
