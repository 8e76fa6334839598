// Where sentences are proved: no operation is forgotten at a door, and what is named is there.

import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadAll, type OperationName } from '../../src/ops/catalogue.ts'
import { AT_DOORS, type OtherTest } from '../at-doors.ts'
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
      ...{ name: op.name, door, outcome },
      proof: proofOf(AT_DOORS[op.name as OperationName], door, outcome),
    })),
  ),
)

test('every operation has a success, a refusal, and what else it can answer, at every door', () => {
  const lacking = cells.filter(({ proof }) => proof === undefined)
  expect(lacking.map(({ name, door, outcome }) => `${name}: no ${outcome} at ${door}`)).toEqual([])
})

test('a sentence that stands for an operation can be said at that door', () => {
  const wrong = cells.flatMap(({ name, door, outcome, proof }) => {
    if (typeof proof !== 'string') return []
    const plans = plansOf(proof, behaviours[proof as BehaviourId], 'rule')
    const isThere = plans.some(
      ({ world, stands }) =>
        world.endsWith(`/${door}`) &&
        canBeSaidIn(world, proof) &&
        stands.some((call) => call.op === name && call.outcome === outcome),
    )
    return isThere ? [] : [`${proof} for ${outcome} of ${name} at ${door}`]
  })
  expect(wrong).toEqual([])
})

test('nothing is named for what an operation cannot do, or at a door it is not offered at', () => {
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

test('a test elsewhere is there, says why, and names the operation or its tool', () => {
  for (const { name, proof } of cells) {
    if (typeof proof !== 'object') continue
    const { test: path, why } = proof as OtherTest
    expect(why).toMatch(/^\S.{10,}[^.]$/)
    const file = join(ROOT, path)
    expect({ path, exists: existsSync(file) }).toEqual({ path, exists: true })
    const tool = operations.find((op) => op.name === name)?.tool?.name ?? name
    const words = new RegExp(`\\b(${name.split(' ').join("[-', ]*")}|${tool})\\b`, 'i')
    const isNamed = words.test(readFileSync(file, 'utf8'))
    expect({ path, name, isNamed }).toEqual({ path, name, isNamed: true })
  }
})

test('the full product holds whatever the rule asks for', () => {
  for (const [id, entry] of entries) {
    const full = plansOf(id, entry, 'full').map(({ world }) => world)
    for (const { world } of plansOf(id, entry, 'rule')) expect(full).toContain(world)
  }
})

test('every sentence is proved on both engines that it names', () => {
  for (const [id, entry] of entries) {
    const engines = (worlds: readonly string[]) => [
      ...new Set(worlds.map((one) => one.split('/')[0])),
    ]
    const proved = plansOf(id, entry, 'rule').map(({ world }) => world)
    const own = proved.filter((world) => entry.worlds.includes(world as never))
    expect({ id, engines: engines(own).sort() }).toEqual({
      id,
      engines: engines(entry.worlds).sort(),
    })
  }
})
