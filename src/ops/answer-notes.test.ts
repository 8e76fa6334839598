import { expect, test } from 'bun:test'
import { ANSWER_NOTES, recordsOf } from './answer-notes.ts'
import { loadAll } from './catalogue.ts'
import type { AnswerValue, Holds } from './kit/answer.ts'

const operations = await loadAll()
const records = recordsOf(operations)
const all: Holds[] = [ANSWER_NOTES, ...operations.map(({ answer }) => answer), ...records.values()]

test('names in answers are in snake_case, and each is explained', () => {
  for (const holds of all) {
    for (const [name, { about }] of Object.entries(holds)) {
      expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
      expect(about).not.toBe('')
    }
  }
})

test('records with the same name are the same record', () => {
  const names = new Map<string, Holds>()
  const visit = ({ of, record }: AnswerValue): void => {
    if (of !== undefined) visit(of)
    if (record === undefined) return
    const { name, holds } = record
    expect([name, names.get(name) ?? holds]).toEqual([name, holds])
    names.set(name, holds)
    for (const value of Object.values(holds)) visit(value)
  }
  for (const holds of all) for (const value of Object.values(holds)) visit(value)
  expect(names.size).toBe(records.size)
})
