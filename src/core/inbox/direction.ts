// A table of who usually writes what to whom. Most of it is convention: agents that work without an orchestrator, or
// below another agent, send the same types in other directions, and a dry run says so. Two directions are closed
// because they make no sense: a person can't be assigned tasks or canceled. Who may write to people at all, and who
// may cancel whom, is decided by mustReachPeople (agent.ts) and mustOutrank (cascade.ts).

import { field, refuse } from '../error.ts'
import type { MailType } from '../vocabulary.ts'

export type Party = 'orchestrator' | 'agent' | 'person'

type Direction = { from: readonly Party[]; to: readonly Party[]; never?: readonly Party[] }

const ANYBODY: readonly Party[] = ['orchestrator', 'agent', 'person']

/** People can send any type; the table only limits what can be sent to them. */
export const DIRECTIONS = {
  'task-assigned': { from: ['orchestrator'], to: ['agent'], never: ['person'] },
  'task-done': { from: ['agent'], to: ['orchestrator'] },
  'review-request': { from: ['agent', 'orchestrator'], to: ['agent'] },
  'review-result': { from: ['agent'], to: ['orchestrator'] },
  question: { from: ['agent', 'orchestrator'], to: ['orchestrator', 'person'] },
  answer: { from: ['orchestrator'], to: ['agent'] },
  cancel: { from: ['orchestrator'], to: ['agent'], never: ['person'] },
  status: { from: ANYBODY, to: ANYBODY },
  custom: { from: ANYBODY, to: ANYBODY },
} as const satisfies Record<MailType, Direction>

export function mustBeFor(type: MailType, recipient: string, party: Party): void {
  const { never = [] }: Direction = DIRECTIONS[type]
  if (!never.includes(party)) return
  throw refuse.invalid_input`${type} is for agents and ${recipient} is a person; ask with ${field('type')} question`
}

/** Explains why this direction is uncommon; null if it isn't. */
export function explainUncommon(type: MailType, from: Party, to: readonly Party[]): string | null {
  const usual: Direction = DIRECTIONS[type]
  if (from === 'person' || to.length === 0) return null
  if (usual.from.includes(from) && to.some((party) => usual.to.includes(party))) return null
  return `${type} usually goes from ${named(usual.from)} to ${named(usual.to)}`
}

const NAMES: Record<Party, string> = {
  orchestrator: 'the orchestrator',
  agent: 'an agent',
  person: 'a person',
}

function named(parties: readonly Party[]): string {
  return parties.map((party) => NAMES[party]).join(' or ')
}
