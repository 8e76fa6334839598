import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { behaviours, type Entry } from '../behaviours.ts'
import { citedIn } from '../worlds/cited.ts'
import { WORLDS } from '../worlds/world.ts'

const entries = Object.entries(behaviours) as [string, Entry][]

test('every behaviour has a test, and every test has a behaviour', () => {
  const cited = citedIn(join(import.meta.dir, '../behaviours'))
  for (const { file } of cited) expect(file).toEndWith('.test.ts')
  expect(cited.map(({ id }) => id).sort()).toEqual(entries.map(([id]) => id).sort())
})

test('every behaviour is a unique sentence', () => {
  const sentences = entries.map(([, { says }]) => says)
  for (const says of sentences) expect(says).toMatch(/^\S.{10,110}\.$/)
  expect(new Set(sentences).size).toBe(sentences.length)
})

test('a behaviour that is not proved in every world gives the reason', () => {
  for (const [id, { worlds, why }] of entries) {
    expect({ id, worlds: worlds.length }).not.toEqual({ id, worlds: 0 })
    expect({ id, hasWhy: why !== undefined }).toEqual({
      id,
      hasWhy: worlds.length < WORLDS.length,
    })
  }
})
