import { mustBeOpen } from '../../core/requests/agent-run.ts'
import { AGENT_RUNS } from '../../core/requests/agent-run-record.ts'
import { introduceAll } from '../agents/introduce.ts'
import { aText, CURSOR, orNull } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { id, required, self } from '../kit/field.ts'
import { ANYONE, mutation } from '../kit/operation.ts'
import { seesAgentRuns, unknownAgentRun } from './agent-runs.ts'
import { lockIfThere } from './due-decisions.ts'
import { recordCancel } from './outcome.ts'
import { viewerOf } from './request-view.ts'

export const agentEndRun = mutation({
  name: 'agent end-run',
  example: 'agent end-run a9c3kf --agent worker',
  summary: 'End an agent run whose work is finished or abandoned.',
  about:
    'A review that is still open is canceled with it. An agent can end its own run; people, services and the orchestrator can end any.',
  fields: {
    agent: self('the agent whose run it is, or a person', { leftOut: 'user' }),
    agent_run: required(id('the run', { positional: true })),
  },
  set: 'requests',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'not_found'],
  async run(context, input) {
    const { agent_run: agent_run_id } = input
    const viewer = viewerOf(context, input.agent)
    const { name: by } = viewer
    return commit(context, { op: 'agent end-run', agent: by, input }, async (tx) => {
      // This lock keeps new reviews from starting, so the run's request can't change until we're done.
      await tx.lockRecords()
      const [now, found, sight] = await Promise.all([
        tx.now(),
        tx.rowOf(AGENT_RUNS, agent_run_id),
        seesAgentRuns(tx, viewer),
      ])
      const isTheirs = sight === 'all' || found?.agent_id === by
      if (found === null || !isTheirs) throw unknownAgentRun(agent_run_id)
      const { request_id } = found
      const held = request_id === '' ? null : await lockIfThere(tx, request_id)
      const run = held?.run ?? (await tx.lockRow(AGENT_RUNS, agent_run_id)) ?? found
      mustBeOpen(run)
      const isAsked = held?.request.is_open === true
      if (held !== null && isAsked) {
        // Registers the service's name so that agents can reply to it.
        if (viewer.kind === 'service') await introduceAll(tx, [by], { by, now })
        const said = 'its agent run has ended'
        const about = { agent_run_id }
        // Leave the run out so that it isn't resumed: it ends in this transaction.
        await recordCancel(context, tx, { ...held, run: null }, { by, said, about })
      }
      const { agent_id } = run
      const review_status = isAsked ? 'cancelled' : run.review_status
      const facts = { type: 'agent_run_end', agent_run_id, agent_id, review_status } as const
      tx.recordStoreEvent({ agent: by, at: now, facts })
      return { agent_run_id, status: 'ended', cancelled: isAsked ? request_id : null }
    })
  },
  answer: {
    agent_run_id: aText('the run'),
    status: aText('ended'),
    cancelled: orNull(aText('the request that was canceled with it')),
    next_event_id: CURSOR,
  },
  lines: ({ agent_run_id }) => `${agent_run_id} has ended\n`,
})
