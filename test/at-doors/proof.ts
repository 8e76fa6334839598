// What proves an operation at a door: a sentence, or a test elsewhere.

import type { BehaviourId } from '../behaviours.ts'
import type { DoorName } from '../entry.ts'
import type { Outcome } from '../worlds/calls.ts'

/**
 * A test that proves an outcome at a door where no sentence can, and why. The title is exactly the one in the file. The
 * title of a test made by `behaves` is its sentence's id.
 */
export type OtherTest = { file: string; title: string; why: string }

export type Proof = BehaviourId | OtherTest
export type Proofs = Partial<Record<Outcome, Proof>>
/** The proofs for every door. A door with different proofs has an entry under its name. */
export type AtDoors = Proofs & Partial<Record<DoorName, Proofs>>

export const STARTS = 'it starts programs, which its sentence examines'

/** The refusal for an operation with no refusal of its own, because it accepts any call whose fields it knows. */
export const ONLY_WORDS = 'words/unknown'

export const FOR_PEOPLE: OtherTest = {
  file: 'test/server/operations.test.ts',
  title: 'agents cannot call operations for people',
  why: 'a server refuses callers by the name or token they show',
}
