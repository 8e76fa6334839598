import { USER } from '../../core/agents/agent.ts'
import { AGENT_RUNS, type AgentRun } from '../../core/requests/agent-run-record.ts'
import type { Tx } from '../../core/store.ts'
import { aFlag, aList, aText, CURSOR } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { byDefault, int } from '../kit/field.ts'
import { action, type Context, OPERATORS } from '../kit/operation.ts'
import { digestOf } from './payload.ts'
import { askForReview } from './review.ts'

const AT_ONCE = 100

export const requestBackfill = action({
  name: 'request backfill',
  example: 'request backfill',
  summary: 'Create the missing requests of paused agent runs, so that people can decide them.',
  about:
    'A review and its request are always created together, so a store written only by this program needs no backfill. An imported log may have a paused run without a request. The text of such a review is unknown. Repeating the command does no harm.',
  fields: {
    limit: byDefault(int('how many to create in one call', { min: 1, max: 1000 }), AT_ONCE),
  },
  writes: 'store',
  set: 'requests',
  callers: OPERATORS,
  refusals: ['invalid_input'],
  async run(context, input) {
    const by = context.caller.principal?.name ?? USER
    const payloads = await payloadsFor(context, await context.store.unaskedRuns(input.limit))
    return commit(context, { op: 'request backfill', agent: by, input }, async (tx) => {
      await tx.lockRecords()
      const found = await tx.unaskedRuns(input.limit + 1)
      const requests: string[] = []
      for (const run of found) {
        const payload = payloads.get(run.folder)
        // Skip runs that have appeared since the payloads were computed, and runs beyond the limit.
        if (payload === undefined || requests.length === input.limit) continue
        requests.push(await backfill(context, tx, { ...run, ...payload }, by))
      }
      return { requests, has_more: found.length > requests.length }
    })
  },
  answer: {
    requests: aList(aText('its id'), 'the requests that were created'),
    has_more: aFlag('whether there are more to create'),
    next_event_id: CURSOR,
  },
  async lines({ requests }) {
    const { count } = await import('../kit/drawing/text.ts')
    return `${count(requests.length, 'request')} made\n`
  },
})

type BarePayload = { payload: string; payload_sha256: string }

/** The payload of a review in each folder. Computed before the transaction, which may only await the store. */
async function payloadsFor(context: Context, runs: readonly AgentRun[]) {
  const payloads = new Map<string, BarePayload>()
  for (const folder of new Set(runs.map((run) => run.folder))) {
    const payload = JSON.stringify({ body: '', target_path: folder, changes: [] })
    payloads.set(folder, { payload, payload_sha256: await digestOf(context, payload) })
  }
  return payloads
}

async function backfill(
  context: Context,
  tx: Tx,
  run: AgentRun & BarePayload,
  by: string,
): Promise<string> {
  const { agent_run_id, agent_id, review_id, payload, payload_sha256 } = run
  const [now, earlier] = await Promise.all([tx.now(), tx.reviewOf(agent_id, review_id)])
  await tx.lockRow(AGENT_RUNS, agent_run_id)
  const { request_id, route } = await askForReview(
    context,
    tx,
    {
      agent_run_id,
      agent_id,
      payload,
      payload_sha256,
      workspace_id: '',
      // A review id belongs to only one request. If an earlier request has it, this one gets none.
      review_id: earlier === null ? review_id : '',
      title: `${agent_id}, review ${review_id}`.slice(0, 160),
      description: 'This request was made afterwards; what the agent said about it is not known.',
    },
    now,
  )
  const facts = {
    type: 'review_backfilled' as const,
    agent_run_id,
    agent_id,
    request_id,
    routing: route.routing,
  }
  tx.recordStoreEvent({ agent: by, at: now, facts })
  return request_id
}
