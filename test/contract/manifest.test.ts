import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { behaviours, type Entry } from '../behaviours.ts'
import { WORLDS } from '../worlds/world.ts'

const entries = Object.entries(behaviours) as [string, Entry][]

test('every behaviour has a test, and every test a behaviour', () => {
  const folder = join(import.meta.dir, '../behaviours')
  const cited: string[] = []
  const there = readdirSync(folder, { recursive: true, withFileTypes: true })
  for (const file of there.filter((one) => one.isFile())) {
    expect(file.name).toEndWith('.test.ts')
    const text = readFileSync(join(file.parentPath, file.name), 'utf8')
    for (const [, quoted] of text.matchAll(/\bbehaves\(\s*'([^']+)'/g)) cited.push(quoted ?? '')
  }
  expect(cited.sort()).toEqual(entries.map(([id]) => id).sort())
})

test('a behaviour is a sentence nobody else says', () => {
  const sentences = entries.map(([, { says }]) => says)
  for (const says of sentences) expect(says).toMatch(/^\S.{10,110}\.$/)
  expect(new Set(sentences).size).toBe(sentences.length)
})

test('a behaviour that is not proved in every world says why', () => {
  for (const [id, { worlds, why }] of entries) {
    expect({ id, worlds: worlds.length }).not.toEqual({ id, worlds: 0 })
    expect({ id, hasWhy: why !== undefined }).toEqual({
      id,
      hasWhy: worlds.length < WORLDS.length,
    })
  }
})
