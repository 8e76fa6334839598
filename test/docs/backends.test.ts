// The page about backends lists the tools and the installation of each.

import { expect, test } from 'bun:test'
import { BACKENDS, backendOf } from '../../src/backends/backend.ts'
import { USUAL_SETS } from '../../src/core/principal.ts'
import { read } from './documents.ts'

const PAGE = read('docs/backends.md')

test.each([...BACKENDS])(
  'the row of %s has its tools and the command to install it',
  async (name) => {
    const row = PAGE.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? ''
    const { tools, check } = await backendOf(name)
    for (const tool of tools)
      expect([name, row]).toEqual([name, expect.stringContaining(`\`${tool}\``)])
    const nothing = { which: () => null, env: {} }
    const problems = check({ name: 'a', backend: name, tools: [] }, nothing).join('\n')
    const [install] = /npm install -g \S+(?=`)/.exec(problems) ?? []
    if (install !== undefined) expect(row).toContain(install)
    expect(install === undefined).toBe(['sdk', 'cursor', 'command'].includes(name))
  },
)

test('the page names our sets that an agent may have', () => {
  for (const set of USUAL_SETS) expect(PAGE).toContain(`\`${set}\``)
})
