import { AGENT_STATUSES, type AgentStatus, standingOf } from '../../core/agents/agent.ts'
import type { Store } from '../../core/store.ts'
import { type AnswerOf, aNumber, aRecord, aRow, aText, CURSOR, orNull } from '../kit/answer.ts'
import { self } from '../kit/field.ts'
import { OPERATORS, query } from '../kit/operation.ts'
import { personLooking } from '../pushes/push-view.ts'

const NEEDS = aRecord('needs', 'what needs the person', {
  requests: aNumber('requests the person may decide'),
  questions: aNumber('threads with an unanswered question for the person'),
  total: aNumber('both together'),
  soonest_expiry: orNull(aText('when the first of the requests expires')),
})

const DESK_COUNTS = {
  unread: aNumber('how many threads have something unread'),
  notifications: aNumber('how many notifications are unread'),
  needs_you: NEEDS,
  agents: aRow<Record<AgentStatus, number>>('agents by status', 'how many agents there are', {
    running: aNumber('at work'),
    idle: aNumber('available, but not working'),
    dormant: aNumber('asleep, or not seen recently'),
    off: aNumber('turned off'),
  }),
  next_event_id: CURSOR,
}

export type DeskCounts = AnswerOf<typeof DESK_COUNTS>

export const desk = query({
  name: 'desk',
  example: 'desk',
  summary: 'Count what is on a person’s desk: what needs them, what is unread, who is working.',
  about:
    'A request counts as long as the person may decide it, and a question until someone answers it. Snoozed and put-away threads are not counted.',
  fields: { agent: self('the person looking', { leftOut: 'user' }) },
  set: 'mailbox',
  callers: OPERATORS,
  refusals: ['invalid_input', 'forbidden'],
  async run(context, input): Promise<DeskCounts> {
    const { store } = context
    const { name: person } = personLooking(context, input.agent)
    const [next_event_id, unread, notifications, needs, agents] = await Promise.all([
      store.lastEventId(),
      store.deskUnread(person, 'other'),
      store.deskUnread(person, 'notification'),
      store.deskNeedsCount(person),
      countAgents(store),
    ])
    const { requests, questions, soonest } = needs
    return {
      unread,
      notifications,
      needs_you: {
        requests,
        questions,
        total: requests + questions,
        soonest_expiry: soonest,
      },
      agents,
      next_event_id,
    }
  },
  answer: DESK_COUNTS,
  lines: async (answer, page) => (await import('./drawing.ts')).drawCounts(answer, page),
})

const MOST_AGENTS = 1000

async function countAgents(store: Store): Promise<Record<AgentStatus, number>> {
  const [all, now] = await Promise.all([store.agents({ limit: MOST_AGENTS }), store.now()])
  const by = Map.groupBy(all, (agent) => standingOf(agent, now).status)
  const counts = AGENT_STATUSES.map((status) => [status, by.get(status)?.length ?? 0])
  return Object.fromEntries(counts) as Record<AgentStatus, number>
}
