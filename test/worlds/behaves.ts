// `behaves(id, …)` is one test per world of one behaviour of the manifest.

import { test } from 'bun:test'
import { type BehaviourId, behaviours, type Entry } from '../behaviours.ts'
import { worldsOf } from './by-tools.ts'
import { inWorld, type World } from './world.ts'

const seen = new Set<string>()

export function behaves(id: BehaviourId, proof: (world: World) => Promise<void>): void {
  const entry: Entry | undefined = behaviours[id]
  if (entry === undefined) throw new Error(`${id} is not in test/behaviours.ts`)
  if (seen.has(id)) throw new Error(`${id} has two tests`)
  seen.add(id)
  for (const name of worldsOf(id, entry)) {
    // A known failure must fail: the day it passes, its mark has to go.
    const run = entry.fails === undefined ? test : test.failing
    run(`[${name}] ${entry.says}`, () => inWorld(name, proof))
  }
}
