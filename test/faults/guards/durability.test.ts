import { expect, test } from 'bun:test'
import { cutPower } from '../power-cut.ts'
import { withMutant } from './mutant.ts'

test('with synchronous=FULL a power cut loses nothing that was acknowledged', async () => {
  const { acknowledged, lost, findings } = await cutPower({ ms: 800 })
  expect(acknowledged).toBeGreaterThan(20)
  expect({ lost, findings }).toEqual({ lost: 0, findings: [] })
})

test('without it, a power cut loses what was acknowledged', async () => {
  const mutation = {
    file: 'store/sqlite-open.ts',
    guard: 'pragma synchronous = full',
    without: 'pragma synchronous = normal',
  }
  const { lost } = await withMutant(mutation, (source) => cutPower({ ms: 800, source }))
  expect(lost).toBeGreaterThan(0)
})
