import { queueOf } from '../../core/agents/address.ts'
import { namesBehind } from '../../core/requests/requirement.ts'
import type { Requirement } from '../../core/requests/requirement-record.ts'
import type { Reads } from '../../core/store.ts'
import { type AnswerOf, aList, aRow, aText, CURSOR, pickShown } from '../kit/answer.ts'
import { OPERATORS, query } from '../kit/operation.ts'

type RequirementView = Pick<Requirement, 'applies_to' | 'requires' | 'added_by' | 'added_at'>

const REQUIREMENT = aRow<RequirementView>('requirement', 'one requirement', {
  applies_to: aText('the agent, or role:ROLE'),
  requires: aText('a type of request, or tool:PATTERN'),
  added_by: aText('who set it'),
  added_at: aText('when'),
})

const POLICIES = {
  requirements: aList(REQUIREMENT, 'sorted by agent or role'),
  next_event_id: CURSOR,
}

export type Policies = AnswerOf<typeof POLICIES>

export const agentPolicies = query({
  name: 'agent policies',
  example: 'agent policies',
  summary: 'List what agents and roles must ask people for.',
  fields: {},
  set: 'requests',
  callers: OPERATORS,
  refusals: [],
  async run({ store }): Promise<Policies> {
    const next_event_id = await store.lastEventId()
    const found = await store.requirements()
    return { requirements: found.map((row) => pickShown(REQUIREMENT, row)), next_event_id }
  },
  answer: POLICIES,
  lines: async (answer, page) => (await import('./drawing.ts')).drawPolicies(answer, page),
})

/**
 * What an agent must ask people for. Requirements apply by the agent's name, by that name without a session number or
 * instance, and by the role registered under either name.
 */
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
