// Class names are plain strings, so a typo in one would go unnoticed.
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const WEB = join(import.meta.dir, '..')
const read = (path: string) => readFileSync(join(WEB, path), 'utf8')
const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /\.(css|tsx)$/.test(path),
)
const classesOf = (css: string) => new Set([...css.matchAll(/\.([a-z][\w-]*)/gi)].map(([, c]) => c))

/** Badges use these classes dynamically, depending on the status they show. */
const HUES = ['amber', 'green', 'red', 'violet', 'teal']
const layout = classesOf(read('ui/layout.css'))

test('className and composes use exactly the classes of layout.css', () => {
  const used = new Set<string>()
  for (const file of files) {
    const lists = read(file).matchAll(
      /[cC]lass(?:Name)?="([^"]*)"|composes: ([\w\s-]+?) from global/g,
    )
    for (const [, written, composed] of lists)
      for (const name of (written ?? composed ?? '').split(/\s+/)) used.add(name)
  }
  expect([...used, ...HUES].filter((name) => !layout.has(name))).toEqual([])
  const unused = [...layout].filter((name = '') => !used.has(name) && !HUES.includes(name))
  expect(unused).toEqual([])
})

test('components use only classes their CSS modules have', () => {
  const missing = files.flatMap((file) => {
    const text = read(file)
    return [...text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)].flatMap(
      ([, name, path]) => {
        const has = classesOf(read(join(dirname(file), path ?? '')))
        const uses = [...text.matchAll(new RegExp(`\\b${name}\\.(\\w+)(?!\\.module)`, 'g'))]
        return uses.map(([, used]) => used).filter((used) => used !== 'module' && !has.has(used))
      },
    )
  })
  expect(missing).toEqual([])
})
