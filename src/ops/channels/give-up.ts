// The mail of an agent whose every attempt failed: it bounces, and the channel says so, because whoever wrote it waits
// for an answer.

import type { HeldInstance } from '../../core/channels/instance.ts'
import { sayTo } from '../../core/channels/say.ts'
import { SYSTEM } from '../../core/event.ts'
import type { Wake } from '../../core/waking/wake.ts'
import { bounceThese } from '../inbox/bounce.ts'
import { type Context, stamp } from '../kit/operation.ts'

const PAGE = 200

/** Ends what the last attempt was for; newer mail is for the next turn. Gives back how many messages that were. */
export async function giveUp(
  context: Context,
  instance: HeldInstance,
  agentId: string,
  wake: Pick<Wake, 'upto_event' | 'attempt' | 'reason'>,
): Promise<number> {
  const name = instance.members.find(({ agent_id }) => agent_id === agentId)?.name ?? agentId
  const times = `${wake.attempt} attempts`
  const { value } = await context.store.write(async (tx) => {
    await tx.lockAgents()
    const now = await tx.now()
    const states = new Map()
    let bounced = 0
    for (let after = 0; ; ) {
      const page = await tx.heads({ recipient: agentId, after, limit: PAGE })
      const ended = page.filter(({ event_id }) => event_id <= wake.upto_event)
      const reason = `${name} failed in ${times}: ${wake.reason}`
      bounced += await bounceThese(context, tx, { recipient: agentId, reason, now, states }, ended)
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE || ended.length < page.length) break
      after = last.event_id
    }
    return { bounced }
  })
  const { bounced } = value
  if (bounced > 0 && instance.thread_id !== '') {
    const what = bounced === 1 ? 'one message' : `${bounced} messages`
    const text = `${name} could not deal with ${what} after ${times}: ${wake.reason}`
    await context.store.write(async (tx) => {
      // Whatever stands in the reason mentions nobody.
      const said = { instance: instance.instance, from: SYSTEM, text, within: [] }
      await sayTo(tx, said, (at) => stamp(context, at))
      return {}
    })
  }
  return bounced
}
