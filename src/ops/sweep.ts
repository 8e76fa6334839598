import { lapse } from '../core/commands.ts'
import type { Thread } from '../core/thread.ts'
import { int } from './field.ts'
import { ANYONE, type Context, commit, mutation } from './operation.ts'

export const sweep = mutation({
  name: 'sweep',
  summary: 'Return threads whose lease has lapsed to pending.',
  about:
    'Waits and servers do it by themselves, and a claim takes over a lapsed lease without it. For a machine where nothing waits.',
  fields: {
    limit: int('at most so many in one go', { min: 1, max: 1000, default: '100' }),
  },
  callers: ANYONE,
  refusals: ['invalid_input'],
  run: (context, input) => sweepLapsed(context, input),
})

export async function sweepLapsed(
  context: Context,
  input: { limit?: number | undefined; idempotency_key?: string | undefined },
) {
  return commit<{ threads: Thread[] }>(
    context,
    { op: 'sweep', agent: 'system', input },
    async (tx) => {
      const threads: Thread[] = []
      for (const { state, now } of await tx.lockLapsed(input.limit ?? 100)) {
        const event = lapse(state, now)
        if (event !== null) threads.push(tx.record(state, event).thread)
      }
      return { threads }
    },
  )
}
