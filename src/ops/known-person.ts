// People, where it matters who is one.

import { USER } from '../core/agent.ts'
import { refuse } from '../core/error.ts'
import type { Principal } from '../core/principal.ts'
import type { Reads } from '../core/store.ts'

export async function mustKnowPerson(reads: Reads, person: string): Promise<void> {
  if (person === USER || (await reads.hasPerson(person))) return
  throw refuse(
    'not_found',
    `there is no person ${person}; add them with 'inbox person add ${person}'`,
  )
}

/** By a server nobody makes a way in for another person: whoever holds it would be that one. */
export function mustBeOwnPerson(principal: Principal | undefined, person: string): void {
  if (principal === undefined || principal.kind === 'system' || principal.name === person) return
  throw refuse(
    'forbidden',
    `you are ${principal.name}; a way in for ${person} is made at the shell of the store's machine`,
  )
}
