import { type AnswerOf, aList, CURSOR } from '../kit/answer.ts'
import { OPERATORS, query } from '../kit/operation.ts'
import { REQUIREMENT, viewRequirement } from './requirements.ts'

const POLICIES = {
  requirements: aList(REQUIREMENT, 'by the name they are for'),
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
    return { requirements: (await store.requirements()).map(viewRequirement), next_event_id }
  },
  answer: POLICIES,
  lines: async (answer, page) => (await import('./drawing.ts')).drawPolicies(answer, page),
})
