import { expect, test } from 'bun:test'
import { PRIORITIES, priorityRank } from './priority.ts'

test('high sorts before normal, normal before low', () => {
  expect(PRIORITIES.map(priorityRank)).toEqual([0, 1, 2])
})
