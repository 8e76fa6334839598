import { expect, test } from 'bun:test'
import { cutPower } from '../power-cut.ts'
import { withMutant } from './mutant.ts'

const EACH = 25

test('with synchronous=FULL, a power cut loses no acknowledged write', async () => {
  const { acknowledged, lost, findings } = await cutPower({ each: EACH })
  expect({ lost, findings }).toEqual({ lost: 0, findings: [] })
  expect(acknowledged).toBeGreaterThanOrEqual(2 * EACH)
})

test('without it, a power cut loses acknowledged writes', async () => {
  const mutation = {
    file: 'store/sqlite/open.ts',
    guard: 'pragma synchronous = full',
    without: 'pragma synchronous = normal',
  }
  const lost = await withMutant(mutation, async (source) => {
    // A cut just after a checkpoint loses little or nothing.
    for (let cut = 0; cut < 10; cut++) {
      const { lost } = await cutPower({ each: EACH, source })
      if (lost > 0) return lost
    }
    return 0
  })
  expect(lost).toBeGreaterThan(0)
})
