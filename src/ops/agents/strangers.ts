// A message to an unknown name waits for an agent of that name. Its sender is warned, as the name may be misspelled.

import { nearest } from '../../core/nearest.ts'
import type { Tx } from '../../core/store.ts'

/** The sender is always warned, but only this many known names are compared with the unknown one. */
const MOST_NAMES = 5000

/** The most names listed in a warning. Code in a message can contain many mentions. */
const MOST_SAID = 4

export async function warnOfStranger(
  tx: Tx,
  name: string,
  from: string,
): Promise<string | undefined> {
  const agents = await tx.agents({ limit: MOST_NAMES })
  const others = agents.map(({ agent_id }) => agent_id).filter((one) => ![name, from].includes(one))
  if (others.length === 0) return undefined
  return `no agent called ${name} has been seen here; the message waits for it${suggestName(name, others)}`
}

export async function warnOfRole(tx: Tx, role: string): Promise<string | undefined> {
  if ((await tx.agents({ role, limit: 1 })).length > 0) return undefined
  const agents = await tx.agents({ limit: MOST_NAMES })
  const roles = [...new Set(agents.map((agent) => agent.role))].filter((one) => one !== '')
  return `no agent has the role ${role}; the message waits for the first one that has it${suggestName(role, roles)}`
}

/** Warns about names that an entry mentions but that aren't in its channel. Undefined if there are none. */
export function warnOfNames(
  strangers: readonly string[],
  names: readonly string[],
): string | undefined {
  if (strangers.length === 0) return undefined
  const said = strangers.slice(0, MOST_SAID).map((name) => {
    const near = nearest(name, names)
    return near === undefined ? name : `${name} (did you mean ${near}?)`
  })
  const more = strangers.length - said.length
  return `no one here is called ${said.join(', ')}${more === 0 ? '' : ` and ${more} more`}`
}

function suggestName(word: string, known: readonly string[]): string {
  const near = nearest(word, known)
  return near === undefined ? '' : `; did you mean ${near}?`
}
