// Checks where sentences are proved: every operation is covered at every door, and every cited proof exists.

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadAll, type OperationName } from '../../src/ops/catalogue.ts'
import { AT_DOORS } from '../at-doors.ts'
import { type BehaviourId, behaviours, type Entry } from '../behaviours.ts'
import { DOORS, type DoorName } from '../entry.ts'
import type { Outcome } from '../worlds/calls.ts'
import { outcomesOf, plansOf, proofOf } from '../worlds/matrix.ts'
import { isOfferedAt } from '../worlds/offered.ts'
import { canBeSaidIn } from '../worlds/product.ts'

const ROOT = join(import.meta.dir, '../..')
const entries = Object.entries(behaviours) as [string, Entry][]
const operations = await loadAll()

/** The outcomes that each operation must show at each door, and the tests that show them. */
const cells = operations.flatMap((op) =>
  DOORS.filter((door) => isOfferedAt(op, door)).flatMap((door) =>
    outcomesOf(op).map((outcome) => ({
      name: op.name,
      door,
      outcome,
      proof: proofOf(AT_DOORS[op.name as OperationName], door, outcome),
    })),
  ),
)

test('every operation has a success, a refusal and its other outcomes at every door', () => {
  const lacking = cells.filter(({ proof }) => proof === undefined)
  expect(lacking.map(({ name, door, outcome }) => `${name}: no ${outcome} at ${door}`)).toEqual([])
})

test('a sentence that proves an operation can be expressed at that door', () => {
  const wrong = cells.flatMap(({ name, door, outcome, proof }) => {
    if (typeof proof !== 'string') return []
    const plans = plansOf(proof, behaviours[proof as BehaviourId], 'rule')
    const isThere = plans.some(
      ({ world, represents }) =>
        world.endsWith(`/${door}`) &&
        canBeSaidIn(world, proof) &&
        represents.some((call) => call.op === name && call.outcome === outcome),
    )
    return isThere ? [] : [`${proof} for ${outcome} of ${name} at ${door}`]
  })
  expect(wrong).toEqual([])
})

test('no proof is listed for an impossible outcome or for a door without the operation', () => {
  const outcomes: Outcome[] = ['success', 'refusal', 'empty', 'retry']
  const needless = operations.flatMap((op) => {
    const row = AT_DOORS[op.name as OperationName]
    const idle = outcomes.filter((one) => row[one] !== undefined && !outcomesOf(op).includes(one))
    const closed = (Object.keys(row) as (Outcome | DoorName)[]).filter(
      (key) => (DOORS as readonly string[]).includes(key) && !isOfferedAt(op, key as DoorName),
    )
    return [...idle, ...closed].map((key) => `${op.name}: ${key}`)
  })
  expect(needless).toEqual([])
})

test('a cited test exists in its file, has a reason, and names the operation as its door does', () => {
  for (const { name, door, proof } of cells) {
    if (typeof proof !== 'object') continue
    const { file, title, why } = proof
    expect(why).toMatch(/^\S.{10,}[^.]$/)
    const texts = testsIn(readFileSync(join(ROOT, file), 'utf8'), title)
    expect({ file, title, tests: texts.length }).toEqual({ file, title, tests: 1 })
    const tool = operations.find((op) => op.name === name)?.tool?.name
    const spoken = door === 'mcp' ? `${tool}` : name.split(' ').join("[-',\\s]*")
    const isNamed = new RegExp(`\\b${spoken}\\b`).test(texts.join())
    expect({ title, spoken, isNamed }).toEqual({ title, spoken, isNamed: true })
  }
})

/** The source of each test with this title, up to its closing bracket. */
function testsIn(source: string, title: string): string[] {
  const lines = source.split('\n')
  const texts = lines.flatMap((line, first) => {
    const [, indent] = /^( *)(?:test|behaves)\b/.exec(line) ?? []
    if (indent === undefined) return []
    const length = lines
      .slice(first)
      .findIndex((one) => /^ *\}?\)$/.test(one) && indentOf(one) === indent)
    return [lines.slice(first, first + length + 1).join('\n')]
  })
  return texts.filter((text) => text.replace(/\(\s+/g, '(').includes(`('${title}',`))
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length)
}

test('finds a test by its title and extracts its text', () => {
  const source = [
    "test('one', () => {\n  first()\n})\nfunction between() {}\n",
    "describe('group', () => {\n  test.each(['two'])(\n    'two',\n    () => {\n      second()\n    },\n  )\n})\n",
    "behaves('three/four', (world) =>\n  withIt(world, () => {\n    third()\n  }),\n)\n",
  ].join('\n')
  expect(testsIn(source, 'one')).toEqual(["test('one', () => {\n  first()\n})"])
  expect(testsIn(source, 'two').join()).toMatch(/second\(\)\n.*\n {2}\)$/)
  expect(testsIn(source, 'three/four').join()).toContain('third()')
  for (const none of ['group', 'on', 'three', 'between']) expect(testsIn(source, none)).toEqual([])
})

test('words/unknown proves a refusal only for operations that have no other', () => {
  const ofStore = ['busy', 'store_unusable', 'internal']
  const needless = cells.filter(({ name, door, proof }) => {
    if (proof !== 'words/unknown') return false
    const op = operations.find((one) => one.name === name)
    const hasOwn = op?.refusals.some((code) => !ofStore.includes(code))
    // The shell doesn't check who is calling.
    return hasOwn || (door !== 'cli' && !op?.callers.includes('agent'))
  })
  expect(needless.map(({ name, door }) => `${name} at ${door}`)).toEqual([])
})

test('the full product includes everything the rule requires', () => {
  for (const [id, entry] of entries) {
    const full = plansOf(id, entry, 'full').map(({ world }) => world)
    for (const { world } of plansOf(id, entry, 'rule')) expect(full).toContain(world)
  }
})

test('the rule covers each library a sentence names, and the full product each world', () => {
  for (const [id, entry] of entries) {
    const provedBy = (extent: 'rule' | 'full') =>
      plansOf(id, entry, extent).map((plan) => plan.world)
    const byLibrary = entry.worlds.filter((world) => world.endsWith('/library'))
    const [byRule, inFull] = [provedBy('rule'), provedBy('full')]
    expect({ id, proofs: byRule.length > 0 }).toEqual({ id, proofs: true })
    for (const world of byLibrary) expect(byRule).toContain(world)
    for (const world of entry.worlds) expect(inFull).toContain(world)
  }
})
