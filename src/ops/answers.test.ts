import { expect, test } from 'bun:test'
import { ANSWERS, everyRecord, TOLD } from './answers.ts'
import { loadAll } from './catalogue.ts'
import type { Holds, Value } from './kit/answer.ts'

const all: Holds[] = [TOLD, ...Object.values(ANSWERS), ...everyRecord().values()]

test('every operation that people are told of says what it answers', async () => {
  for (const { name, internal = false } of await loadAll()) {
    expect([name, Object.hasOwn(ANSWERS, name)]).toEqual([name, !internal])
  }
})

test('names in answers are in snake_case, and each is explained', () => {
  for (const holds of all) {
    for (const [name, { about }] of Object.entries(holds)) {
      expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
      expect(about).not.toBe('')
    }
  }
})

test('two records of one name are one record', () => {
  const names = new Map<string, Holds>()
  const visit = ({ of, record }: Value): void => {
    if (of !== undefined) visit(of)
    if (record === undefined) return
    const { name, holds } = record
    expect([name, names.get(name) ?? holds]).toEqual([name, holds])
    names.set(name, holds)
    for (const value of Object.values(holds)) visit(value)
  }
  for (const holds of all) for (const value of Object.values(holds)) visit(value)
  expect(names.size).toBe(everyRecord().size)
})
