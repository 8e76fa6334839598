// What proves an operation at a door: a sentence, or a test elsewhere.

import type { BehaviourId } from '../behaviours.ts'
import type { DoorName } from '../entry.ts'
import type { Outcome } from '../worlds/calls.ts'

/**
 * A test that proves it at this door where no sentence can, and why. The title is the one in the file; the title of a
 * test by `behaves` is its sentence's id.
 */
export type OtherTest = { file: string; title: string; why: string }

export type Proof = BehaviourId | OtherTest
export type Proofs = Partial<Record<Outcome, Proof>>
/** The same at every door, except what is named for one door. */
export type AtDoors = Proofs & Partial<Record<DoorName, Proofs>>

export const STARTS = 'it starts programs, and the sentence about it looks at those'

/** The refusal of an operation that has none of its own: it takes any call whose words it knows. */
export const ONLY_WORDS = 'words/unknown'

export const FOR_PEOPLE: OtherTest = {
  file: 'test/server/operations.test.ts',
  title: 'what is for people is not for agents',
  why: 'who may not call it is known by a name or a token that a server was shown',
}
