// Checks for operations that depend on whether the caller or a name is a person.

import { USER } from '../../core/agents/agent.ts'
import { operation, quote, refuse } from '../../core/error.ts'
import type { Principal } from '../../core/principal.ts'
import type { Reads } from '../../core/store.ts'
import type { Instant } from '../../core/time.ts'

export async function mustKnowPerson(reads: Reads, person: string): Promise<void> {
  if (person === USER || (await reads.hasPerson(person))) return
  throw refuse.not_found`there is no person ${person}; add them with ${operation('person add', { name: person })}`
}

/** A token limited to some tools or one workspace can't be used to grant broader access. */
export function mustBeUnlimited(principal: Principal | undefined): void {
  if (principal?.sets === undefined && principal?.workspace_id === undefined) return
  throw refuse.forbidden`a limited token cannot make others; use the shell or a token without limits`
}

/** When the caller's token expires; null if it never does, or if the caller has none. */
export async function endOf(
  reads: Reads,
  principal: Principal | undefined,
): Promise<Instant | null> {
  if (principal?.token_id === undefined) return null
  return (await reads.token(principal.token_id))?.expires_at ?? null
}

/** At a server, no one can create access for another person: whoever held it could act as that person. */
export function mustBeOwnPerson(principal: Principal | undefined, person: string): void {
  if (principal === undefined || principal.kind === 'system' || principal.name === person) return
  throw refuse.forbidden`you are ${principal.name}; a token or sign-in for ${person} is made at the shell of the store's machine`
}

/** Whether the latest token of this name is for a service. `goodAt` skips tokens that weren't valid at that time. */
async function isService(reads: Reads, name: string, goodAt?: Instant): Promise<boolean> {
  const filter = { kinds: ['token'], principal: name, goodAt, limit: 1 } as const
  const [token] = await reads.tokens(filter)
  return token?.principal_kind === 'service'
}

/**
 * A service that writes becomes known under its name like an agent, so that it can be answered. No agent may share a
 * name with a service: each would read the other's mail.
 */
export async function mustBeNoService(reads: Reads, name: string, now: Instant): Promise<void> {
  if (!(await isService(reads, name, now))) return
  throw refuse.invalid_input`${quote(name)} is a service, as its tokens say; choose another name for the agent`
}

export async function mustBeNoAgent(reads: Reads, name: string): Promise<void> {
  if ((await reads.agent(name)) === null || (await isService(reads, name))) return
  throw refuse.invalid_input`${quote(name)} is an agent; choose another name for the service`
}
