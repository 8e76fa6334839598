import { expect, test } from 'bun:test'
import { loadAll, TOOLS } from './catalogue.ts'

test('every operation with a tool is listed in TOOLS', async () => {
  const withTool = (await loadAll()).filter(({ tool }) => tool !== undefined)
  expect(withTool.map(({ name }) => name).sort()).toEqual([...TOOLS].sort())
})
