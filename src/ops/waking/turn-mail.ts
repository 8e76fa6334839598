// After a turn of a workflow's agent that ended well, the mail it was shown, by its supervisor or through its own
// calls, counts as read. Nothing else in a channel shows that, because an entry doesn't act on other messages.

import type { InboxHead } from '../../core/inbox/inbox-reads.ts'
import type { Instant } from '../../core/time.ts'
import { markMessages } from '../inbox/mark-messages.ts'
import type { Context } from '../kit/operation.ts'

const PAGE = 200

export async function readInTurn(
  context: Context,
  agent: string,
  { given, since }: { given: readonly { event_id: number }[]; since: Instant },
): Promise<void> {
  const ids = new Set(given.map(({ event_id }) => event_id))
  const wasShown = ({ event_id, presented_at }: InboxHead) =>
    ids.has(event_id) || (presented_at !== null && presented_at >= since)
  for (let after = 0; ; ) {
    const page = await context.store.heads({ recipient: agent, after, limit: PAGE })
    const shown = page.filter(wasShown)
    if (shown.length > 0) {
      await context.store.write(async (tx) => {
        await markMessages(context, tx, agent, shown, 'turn')
        return {}
      })
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last.event_id
  }
}
