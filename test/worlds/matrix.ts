// Where each sentence is proved. Under the rule: through the library on both engines (SQLite if only the shell has it),
// and at a door if it proves an operation there (test/at-doors.ts) or is marked as a sentence about that door
// (test/entry.ts). In full: in every world it names, and over MCP and HTTP wherever it can be said there.

import { loadAll, type OperationName } from '../../src/ops/catalogue.ts'
import type { Operation } from '../../src/ops/kit/operation.ts'
import type { AtDoors, Proof } from '../at-doors/proof.ts'
import { AT_DOORS } from '../at-doors.ts'
import { DOORS, type DoorName, type Entry } from '../entry.ts'
import { canBeEmpty, type DoorCall, type Outcome } from './calls.ts'
import type { Extent } from './extent.ts'
import { isOfferedAt } from './offered.ts'
import { canBeSaidIn, HTTP_WORLD, productOf, TOOLS_WORLD } from './product.ts'
import type { World } from './world.ts'

type Name = World['name']

/** A world where a sentence is proved, and the calls that its proof must make there. */
export type WorldPlan = { world: Name; represents: DoorCall[] }

export function plansOf(id: string, entry: Entry, extent: Extent): WorldPlan[] {
  const plans = new Map<Name, DoorCall[]>()
  const add = (worlds: readonly Name[], ...calls: DoorCall[]) => {
    for (const world of worlds) plans.set(world, [...(plans.get(world) ?? []), ...calls])
  }
  const byLibrary = entry.worlds.filter((world) => world.endsWith('/library'))
  // Shell-only sentences start programs, which is slow, and the engine makes no visible difference to them.
  add(byLibrary.length > 0 ? byLibrary : entry.worlds.slice(0, 1))
  for (const door of entry.own?.doors ?? []) {
    const worlds = worldsAt(door, entry, entry.own?.isOfEngine === true)
    add(worlds.filter((world) => canBeSaidIn(world, id)))
  }
  for (const { op, door, outcome } of REPRESENTED.get(id) ?? []) {
    add(worldsAt(door, entry, false), { op, outcome })
  }
  const byRule = new Set(plans.keys())
  if (extent !== 'rule') add(productOf(id, entry))
  const all = [...plans].map(([world, represents]) => ({ world, represents }))
  return extent === 'rest' ? all.filter(({ world }) => !byRule.has(world)) : all
}

function worldsAt(door: DoorName, { worlds }: Entry, withBothEngines: boolean): Name[] {
  if (door === 'mcp') return [TOOLS_WORLD]
  if (door === 'http') return [HTTP_WORLD]
  const shell: readonly Name[] = worlds.filter((world) => world.endsWith('/cli'))
  return withBothEngines ? [...shell] : shell.slice(0, 1)
}

/** The outcomes that an operation must show at every door that offers it. */
export function outcomesOf(op: Operation): Outcome[] {
  const empty: Outcome[] = canBeEmpty(op) ? ['empty'] : []
  const retry: Outcome[] = op.takesKey ? ['retry'] : []
  return ['success', 'refusal', ...empty, ...retry]
}

/** The test that shows this outcome, if one is named. */
export function proofOf(row: AtDoors, door: DoorName, outcome: Outcome): Proof | undefined {
  return row[door]?.[outcome] ?? row[outcome]
}

/** A call that a sentence represents at a door. */
type Represented = { op: string; door: DoorName; outcome: Outcome }

const REPRESENTED = representedBySentence(await loadAll())

function representedBySentence(operations: Operation[]): Map<string, Represented[]> {
  const found = new Map<string, Represented[]>()
  for (const op of operations) {
    for (const door of DOORS.filter((one) => isOfferedAt(op, one))) {
      for (const outcome of outcomesOf(op)) {
        const proof = proofOf(AT_DOORS[op.name as OperationName], door, outcome)
        if (typeof proof !== 'string') continue
        found.set(proof, [...(found.get(proof) ?? []), { op: op.name, door, outcome }])
      }
    }
  }
  return found
}
