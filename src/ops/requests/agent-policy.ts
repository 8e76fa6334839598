import { field, operation, quote, Refusal, refuse, sentence } from '../../core/error.ts'
import { isRequirement, isRequirementHolder } from '../../core/requests/requirement.ts'
import { type AnswerOf, aList, aText, CURSOR } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { address, list, required, self } from '../kit/field.ts'
import { mutation, PEOPLE } from '../kit/operation.ts'
import { personOf } from './request-view.ts'

/** A longer list is more than a person would read or a model would follow. */
const MOST_REQUIREMENTS = 50

const AGENT_POLICY = {
  applies_to: aText('the agent, or role:ROLE'),
  requires: aList(aText('a type, or tool:PATTERN'), 'everything it must ask for now'),
  next_event_id: CURSOR,
}

export type AgentPolicy = AnswerOf<typeof AGENT_POLICY>

export const agentPolicy = mutation({
  name: 'agent policy',
  example: 'agent policy worker --require tool:Bash',
  summary: 'Set what an agent, or all agents of a role, must ask people for.',
  about:
    'A requirement is a request type, such as config_change, or tool:PATTERN for the use of a tool: tool:Bash, tool:mcp__github__*, tool:Bash(rm *). A star matches anything, and the pattern in parentheses is compared with each command of a command line. Agents are told what they must ask for; for tools, the hook set up by install --approvals also stops the call. What applies to NAME also applies to its other sessions NAME-2 and NAME-3, and to NAME@INSTANCE. Existing requirements stay; without flags the policy is only shown.',
  fields: {
    agent: self('the person who sets it', { leftOut: 'user' }),
    applies_to: required(
      address('the agent, or role:ROLE for all agents of a role', { positional: true }),
    ),
    requires: list('what it must ask for: a type, or tool:PATTERN', { max: 20 }),
    releases: list('what it no longer has to ask for, exactly as it was required', { max: 20 }),
  },
  set: 'none',
  callers: PEOPLE,
  guarded: true,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check({ applies_to, requires = [], releases = [] }) {
    if (!isRequirementHolder(applies_to))
      throw refuse.invalid_input`${field('applies_to')} ${quote(applies_to)} is not an agent: write its name, or role:ROLE`
    const odd = requires.find((one) => !isRequirement(one))
    if (odd !== undefined)
      throw refuse.invalid_input`${field('requires')} ${quote(odd)} is neither a type of request nor tool:PATTERN, such as tool:Bash or tool:Bash(rm *)`
    const both = requires.find((one) => releases.includes(one))
    if (both !== undefined)
      throw refuse.invalid_input`${quote(both)} is in ${field('requires')} and in ${field('releases')}; give it once`
  },
  async run(context, input): Promise<AgentPolicy> {
    // An agent must not loosen its own policy.
    const by = personOf(context, input.agent, 'what agents must ask for is set by people')
    const { applies_to, requires = [], releases = [] } = input
    return commit(context, { op: 'agent policy', agent: by, input }, async (tx) => {
      await tx.lockRecords()
      const [at, rows] = await Promise.all([tx.now(), tx.requirements([applies_to])])
      const held = new Map(rows.map((row) => [row.requires, row.requirement_id]))
      for (const one of new Set(releases)) {
        const requirement_id = held.get(one)
        if (requirement_id === undefined) throw notRequired(applies_to, one)
        held.delete(one)
        const facts = { type: 'requirement_remove', requirement_id } as const
        tx.recordStoreEvent({ agent: by, at, facts })
      }
      for (const one of new Set(requires)) {
        if (held.has(one)) continue
        const requirement_id = context.makeId('requirement')
        held.set(one, requirement_id)
        const facts = {
          type: 'requirement_add',
          requirement_id,
          applies_to,
          requires: one,
        } as const
        tx.recordStoreEvent({ agent: by, at, facts })
      }
      if (held.size > MOST_REQUIREMENTS)
        throw refuse.invalid_input`${applies_to} would have ${held.size} requirements, and ${MOST_REQUIREMENTS} is the most; release some with ${field('releases')}`
      return { applies_to, requires: [...held.keys()].sort() }
    })
  },
  answer: AGENT_POLICY,
  lines: ({ applies_to, requires }) =>
    requires.length === 0
      ? `${applies_to} does not have to ask for anything\n`
      : `${applies_to} must ask for\n${requires.map((one) => `  ${one}\n`).join('')}`,
})

function notRequired(applies_to: string, one: string) {
  return new Refusal(
    'not_found',
    sentence`${applies_to} is not required to ask for ${quote(one)}; see ${operation('agent policies')}`,
    { applies_to, requires: one },
  )
}
