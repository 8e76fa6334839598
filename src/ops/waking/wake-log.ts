import type { Principal } from '../../core/principal.ts'
import type { Wake } from '../../core/waking/wake.ts'
import { mayLookInto } from '../kit/authorise.ts'
import { byDefault, int, name } from '../kit/field.ts'
import { ANYONE, query } from '../kit/operation.ts'
import { makePage } from '../kit/page.ts'

/** What may be seen of a wake: all but its token, and its last words only by whom they concern. */
export type WakeView = Omit<Wake, 'token'>

export function viewWake({ token: _, ...wake }: Wake, viewer: Principal | undefined): WakeView {
  return mayLookInto(viewer, wake.agent_id) ? wake : { ...wake, reason: '', stderr: '' }
}

export const wakeLog = query({
  name: 'wake log',
  summary: 'List the starts of agents: why, how they ended, the end of their standard error.',
  fields: {
    agent: name('only of this agent'),
    limit: byDefault(int('at most so many', { min: 1, max: 1000 }), 20),
  },
  set: 'every',
  callers: ANYONE,
  refusals: ['invalid_input'],
  async run({ store, caller }, input): Promise<{ wakes: WakeView[]; has_more: boolean }> {
    const { limit } = input
    const found = await store.wakes({ agent: input.agent, limit: limit + 1 })
    const page = makePage<WakeView>(limit)
    const has_more = !page.add(found.map((wake) => viewWake(wake, caller.principal)))
    return { wakes: page.items, has_more }
  },
})
