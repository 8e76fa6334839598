// Requirements as doors show them, and the policy of one agent.

import { queueOf } from '../../core/agents/address.ts'
import { namesBehind } from '../../core/requests/requirement.ts'
import type { Requirement } from '../../core/requests/requirement-record.ts'
import type { Reads } from '../../core/store.ts'
import { aRow, aText } from '../kit/answer.ts'

export type RequirementView = Pick<Requirement, 'applies_to' | 'requires' | 'added_by' | 'added_at'>

export const REQUIREMENT = aRow<RequirementView>('requirement', 'one requirement', {
  applies_to: aText('the agent, or role:ROLE'),
  requires: aText('a type of request, or tool:PATTERN'),
  added_by: aText('who said so'),
  added_at: aText('when'),
})

export function viewRequirement(row: Requirement): RequirementView {
  const { applies_to, requires, added_by, added_at } = row
  return { applies_to, requires, added_by, added_at }
}

/** The policy of an agent: everything that holds under its name, the name it began with, or the role of either. */
export async function policyOf(
  reads: Pick<Reads, 'agent' | 'requirements'>,
  agent: string,
): Promise<string[]> {
  const names = namesBehind(agent)
  const known = await Promise.all(names.map((name) => reads.agent(name)))
  const roles = known.flatMap((one) => (one === null || one.role === '' ? [] : [queueOf(one.role)]))
  const rows = await reads.requirements([...new Set([...names, ...roles])])
  return [...new Set(rows.map(({ requires }) => requires))]
}
