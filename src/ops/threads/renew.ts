import { renew as decideRenew } from '../../core/threads/commands.ts'
import { DEFAULT_LEASE_SECONDS, MAX_LEASE_SECONDS } from '../../core/threads/lease.ts'
import { GRANT, grant, THREAD } from '../inbox/view.ts'
import { CURSOR } from '../kit/answer.ts'
import { commit, holderOf, lockThread, stamp } from '../kit/commit.ts'
import { id, int, required, self, text } from '../kit/field.ts'
import { ANYONE, mutation } from '../kit/operation.ts'
import { findHeldThread } from './held-thread.ts'
import { THREAD_ARG, TOKEN_ARG } from './message-fields.ts'

export const renew = mutation({
  name: 'renew',
  example: 'renew k3f9p2 --agent worker',
  summary: 'Extend the lease you hold, counted from now.',
  fields: {
    agent: required(self('the agent that holds it')),
    thread: id('the thread', { positional: true, leftOut: 'the one the agent holds' }),
    lease_seconds: int('how long from now', {
      min: 1,
      max: MAX_LEASE_SECONDS,
      leftOut: String(DEFAULT_LEASE_SECONDS),
    }),
    lease_token: text('identifies the lease', { max: 128 }),
  },
  set: 'threads',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'lease_conflict', 'not_found'],
  async run(context, input) {
    return commit(context, { op: 'renew', agent: input.agent, input }, async (tx) => {
      const locked = await lockThread(tx, input.thread ?? (await findHeldThread(tx, input.agent)))
      const holder = await holderOf(tx, locked, input.agent, input.lease_token)
      const lease_seconds = input.lease_seconds ?? DEFAULT_LEASE_SECONDS
      const event = decideRenew(
        locked.state,
        { holder, lease_seconds, silent: false },
        stamp(context, locked.now),
      )
      const { thread, lease } = tx.record(locked.state, event)
      return { thread, lease: grant(lease) }
    })
  },
  answer: { thread: THREAD, lease: GRANT, next_event_id: CURSOR },
  lines: async (answer, page) => (await import('./drawing.ts')).drawClaim(answer, page),
  tool: {
    name: 'thread_renew',
    does: 'Keep your lease during long work, well before expires_at.',
    args: { thread: THREAD_ARG, lease_seconds: { about: 'from now' }, lease_token: TOKEN_ARG },
  },
})
