import type { Principal } from '../../core/principal.ts'
import type { Wake } from '../../core/waking/wake-record.ts'
import { aList, aNumber, aRow, aText, MORE, orNull } from '../kit/answer.ts'
import { mayLookInto } from '../kit/authorise.ts'
import { byDefault, int, name } from '../kit/field.ts'
import { ANYONE, query } from '../kit/operation.ts'
import { makePage } from '../kit/page.ts'

/** The parts of a wake that callers may see: never the token, and standard error only with permission. */
export type WakeView = Omit<Wake, 'token'>

export const WAKE = aRow<WakeView>('wake', 'one start of an agent', {
  wake_id: aText('its id'),
  agent_id: aText('the agents it started'),
  state: aText('starting, running, ended, failed or lost'),
  cause: aText('mail, timer or workspace_event'),
  upto_event: aNumber('mail up to this event was passed to the program'),
  attempt: aNumber('counts failed starts in a row'),
  hops: aNumber('how many wakes separate it from a person’s message'),
  started_at: aText('when it began'),
  expires_at: aText('when its lease expires'),
  ended_at: orNull(aText('when it ended')),
  exit_code: orNull(aNumber('the exit code of its program')),
  reason: aText('why it failed, or empty'),
  stderr: aText('the end of its standard error'),
})

export function viewWake({ token: _, ...wake }: Wake, viewer: Principal | undefined): WakeView {
  return mayLookInto(viewer, wake.agent_id) ? wake : { ...wake, reason: '', stderr: '' }
}

export const wakeLog = query({
  name: 'wake log',
  example: 'wake log builder',
  summary:
    'List the starts of agents: why they started, how they ended, and the end of their standard error.',
  fields: {
    agent: name('only of this agent', { positional: true }),
    limit: byDefault(int('how many to list at most', { min: 1, max: 1000 }), 20),
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
  answer: { wakes: aList(WAKE, 'the latest first'), has_more: MORE },
  lines: async ({ wakes }, page) => (await import('./drawing.ts')).drawWakes(wakes, page),
})
