// Names of services. A service that writes is known under its name like an agent, so that it can be
// answered. But no agent may have the name of a service: each would read the other's mail.

import { quote, refuse } from '../../core/error.ts'
import type { Reads } from '../../core/store.ts'
import type { Instant } from '../../core/time.ts'

/**
 * Whether the latest token of this name is for a service; with a moment, the latest that was valid then.
 */
async function isService(reads: Reads, name: string, goodAt?: Instant): Promise<boolean> {
  const filter = { kinds: ['token'], principal: name, goodAt, limit: 1 } as const
  const [token] = await reads.tokens(filter)
  return token?.principal_kind === 'service'
}

export async function mustBeNoService(reads: Reads, name: string, now: Instant): Promise<void> {
  if (!(await isService(reads, name, now))) return
  throw refuse(
    'invalid_input',
    `${quote(name)} is a service, as its tokens say; choose another name for the agent`,
  )
}

export async function mustBeNoAgent(reads: Reads, name: string): Promise<void> {
  if ((await reads.agent(name)) === null || (await isService(reads, name))) return
  throw refuse('invalid_input', `${quote(name)} is an agent; choose another name for the service`)
}
