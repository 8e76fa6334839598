import { expect, test } from 'bun:test'
import { NOTES } from '../core/notes.ts'
import { QUERIES as POSTGRES } from './postgres/queries.gen.ts'
import { QUERIES as SQLITE } from './sqlite/queries.gen.ts'

test('each note is listed once, and both engines have its query', () => {
  const names = NOTES.map(({ query }) => query)
  expect(new Set(names).size).toBe(names.length)
  for (const queries of [SQLITE, POSTGRES]) {
    expect(names.filter((name) => !Object.hasOwn(queries, name))).toEqual([])
  }
})
