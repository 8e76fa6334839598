// `behaves(id, …)` makes one test for each world where a behavior in the manifest must be proved.

import { test } from 'bun:test'
import { type BehaviourId, behaviours, type Entry } from '../behaviours.ts'
import { extentAsked } from './extent.ts'
import { plansOf } from './matrix.ts'
import { inWorld, type World } from './world.ts'

const seen = new Set<string>()

export function behaves(id: BehaviourId, proof: (world: World) => Promise<void>): void {
  const entry: Entry | undefined = behaviours[id]
  if (entry === undefined) throw new Error(`${id} is not in test/behaviours.ts`)
  if (seen.has(id)) throw new Error(`${id} has two tests`)
  seen.add(id)
  for (const { world, represents } of plansOf(id, entry, extentAsked())) {
    // A known failure must fail. Once it passes, its mark has to be removed.
    const run = entry.fails === undefined ? test : test.failing
    run(`[${world}] ${entry.says}`, () => inWorld(world, proof, represents))
  }
}
