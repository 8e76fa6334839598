// The mail of an agent whose every attempt failed, or that takes no part any more: it bounces, and the channel says so,
// because whoever wrote it waits for an answer.

import type { Wake } from '../../core/waking/wake-record.ts'
import { bounceRest, bounceThese } from '../inbox/bounce.ts'
import type { Context } from '../kit/operation.ts'

const PAGE = 200

/** Ends what the last attempt was for; newer mail is for the next turn. Gives back how many messages that were. */
export async function giveUp(
  context: Context,
  agentId: string,
  wake: Pick<Wake, 'upto_event' | 'attempt' | 'reason'>,
): Promise<number> {
  const { value } = await context.store.write(async (tx) => {
    await tx.lockRecords()
    const now = await tx.now()
    const states = new Map()
    let bounced = 0
    for (let after = 0; ; ) {
      const page = await tx.heads({ recipient: agentId, after, limit: PAGE })
      const ended = page.filter(({ event_id }) => event_id <= wake.upto_event)
      const reason = `it failed in ${wake.attempt} attempts: ${wake.reason}`
      bounced += await bounceThese(context, tx, { recipient: agentId, reason, now, states }, ended)
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE || ended.length < page.length) break
      after = last.event_id
    }
    return { bounced }
  })
  return value.bounced
}

/** The mail of an agent that the workflow does not have any more: it bounces, and the channel says so. */
export function dismiss(context: Context, agentId: string): Promise<number> {
  return bounceRest(context, agentId, 'it takes no part in the workflow any more')
}
