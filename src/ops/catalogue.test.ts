import { expect, test } from 'bun:test'
import { loadAll, TOOLS } from './catalogue.ts'

test('every operation that has a tool has its place in the order of tools', async () => {
  const withTool = (await loadAll()).filter(({ tool }) => tool !== undefined)
  expect(withTool.map(({ name }) => name).sort()).toEqual([...TOOLS].sort())
})
