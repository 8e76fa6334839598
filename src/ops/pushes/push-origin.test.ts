import { expect, test } from 'bun:test'
import type { Turn } from '../../core/pushes/push.ts'
import { originOf } from './push-origin.ts'

const NOW = '2026-01-02T12:00:00.000Z'
const turn = (more: Partial<Turn> = {}): Turn => ({
  session: 's-1',
  backend: 'gemini',
  folder: '/work/a',
  began_at: NOW,
  ...more,
})
const from = (folder: string, ...turns: Turn[]) =>
  originOf({ origin: { folder } }, null, { now: NOW, wake: null, turns })

test('a turn whose end was never reported counts for six hours', () => {
  expect(from('/work/a', turn({ began_at: '2026-01-02T06:00:00.001Z' })).session).toBe('s-1')
  expect(from('/work/a', turn({ began_at: '2026-01-02T06:00:00.000Z' })).session).toBeUndefined()
})

test('a turn in another folder is not used', () => {
  expect(from('/work/a/inner', turn()).session).toBe('s-1')
  expect(from('/work', turn()).session).toBe('s-1')
  expect(from('/work/ab', turn()).session).toBeUndefined()
  expect(from('/work/b', turn({ folder: '' }))).toMatchObject({ session: 's-1', folder: '/work/b' })
})
