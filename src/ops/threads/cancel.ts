import type { SeenAgent } from '../../core/agents/agent.ts'
import { isClaimed } from '../../core/principal.ts'
import type { Tx } from '../../core/store.ts'
import { mustHavePart } from '../../core/threads/cascade.ts'
import { cancel as decideCancel } from '../../core/threads/commands.ts'
import type { Thread } from '../../core/threads/thread.ts'
import { introduceAll } from '../agents/introduce.ts'
import { viewMessage } from '../inbox/view.ts'
import { commit, lockThread, stamp } from '../kit/commit.ts'
import { artifacts, id, required, self, text } from '../kit/field.ts'
import { ANYONE, type Context, mutation } from '../kit/operation.ts'
import { MESSAGE_ANSWER, THREAD_ARG } from './message-fields.ts'

export const cancel = mutation({
  name: 'cancel',
  example: 'cancel p8d4wm "No longer wanted"',
  summary: 'Stop a thread that is not finished and release its lease.',
  about:
    'The worker is notified at its next call about the thread, or at once if it is waiting there: the cancellation is a control message. Its other work continues. At a server an agent can cancel work that it asked for or was asked to do, by name or role, and the work of agents below it; people and the orchestrator can cancel any work. Claiming someone else’s thread gives no right to cancel it.',
  fields: {
    agent: required(self('the agent or person that cancels', { orOwner: true })),
    thread: required(id('the thread', { positional: true })),
    reason: text('why', { positional: true, leftOut: 'cancelled' }),
    artifacts: artifacts('a file the message refers to'),
  },
  set: 'threads',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'not_found', 'forbidden'],
  async run(context, input) {
    const reason = input.reason ?? 'cancelled'
    const words = {
      summary: reason,
      body: reason,
      artifacts: input.artifacts ?? [],
    }
    return commit(context, { op: 'cancel', agent: input.agent, input }, async (tx) => {
      const { state, now } = await lockThread(tx, input.thread)
      const event = decideCancel(state, { agent: input.agent, words }, stamp(context, now, words))
      await mustMayCancel(context, tx, state.thread)
      await introduceAll(tx, [input.agent], { by: input.agent, now })
      const { thread } = tx.record(state, event)
      return { thread, message: viewMessage(event.message) }
    })
  },
  answer: MESSAGE_ANSWER,
  lines: async (answer, page) => (await import('./drawing.ts')).drawThread(answer, page),
  tool: {
    name: 'thread_cancel',
    does: 'Stop a thread whose result is no longer wanted.',
    args: { thread: THREAD_ARG, reason: { about: 'why' } },
  },
})

/** Checks whether an identified caller may cancel. At the shell and in the library, names aren't verified. */
async function mustMayCancel(
  { caller: { principal } }: Context,
  tx: Tx,
  thread: Thread,
): Promise<void> {
  if (principal?.kind !== 'agent' || principal.name === thread.created_by) return
  const [agents, [first]] = await Promise.all([
    tx.agents({}),
    tx.messages(thread.thread_id, { after: 0, limit: 1 }),
  ])
  // The assignee may have claimed the thread, so look in the first message to see who was asked.
  const sent_to = first?.to_agent ?? thread.assigned_to
  const asBelieved = (agent: SeenAgent) =>
    agent.agent_id === principal.name && isClaimed(principal) ? { ...agent, role: '' } : agent
  mustHavePart(agents.map(asBelieved), principal.name, { ...thread, sent_to })
}
