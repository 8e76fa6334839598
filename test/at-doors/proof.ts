// What proves an operation at a door: a sentence, or a test elsewhere.

import type { BehaviourId } from '../behaviours.ts'
import type { DoorName } from '../entry.ts'
import type { Outcome } from '../worlds/calls.ts'

/**
 * A test that proves this at its door where no sentence can, and why. The title is exactly the one in the file. The
 * title of a test made by `behaves` is its sentence's id.
 */
export type OtherTest = { file: string; title: string; why: string }

export type Proof = BehaviourId | OtherTest
export type Proofs = Partial<Record<Outcome, Proof>>
/** The same at every door, except where a door has its own. */
export type AtDoors = Proofs & Partial<Record<DoorName, Proofs>>

export const STARTS = 'it starts programs, which its sentence examines'

/** The refusal of an operation that has none itself: it accepts any call whose fields it knows. */
export const ONLY_WORDS = 'words/unknown'

export const FOR_PEOPLE: OtherTest = {
  file: 'test/server/operations.test.ts',
  title: 'agents cannot call operations for people',
  why: 'a server refuses callers by the name or token they show',
}
