import { field, operation, refuse } from '../../core/error.ts'
import type { Store } from '../../core/store.ts'
import { type EntryMessage, entryOf } from '../../core/workflows/channel.ts'
import type { Instance } from '../../core/workflows/instance.ts'
import { type AnswerOf, aList, aNumber, aText, CURSOR, MORE } from '../kit/answer.ts'
import { parseTime } from '../kit/cursor.ts'
import { byDefault, int } from '../kit/field.ts'
import type { Context } from '../kit/operation.ts'
import { makePage } from '../kit/page.ts'
import { turnsFor } from '../kit/pieces.ts'
import { ENTRY } from './entry-view.ts'

export const CHANNEL_PAGE = {
  instance: aText('the instance'),
  run: aNumber('its run, from 1'),
  thread_id: aText('its channel'),
  entries: aList(ENTRY, 'in their order'),
  has_more: MORE,
  next_event_id: CURSOR,
}

export type ChannelPage = AnswerOf<typeof CHANNEL_PAGE>

export const LIMIT = byDefault(int('how many entries at most', { min: 1, max: 500 }), 50)

/** The number of entries to read at a time, so that other callers get their turn in between. */
const PIECE = 50

const ID = /^[a-z]{3}_[0-9a-z]+$/

/** Whether the string is a message id. If it isn't, it's a time. */
export function isMessageId(text: string): boolean {
  return ID.test(text)
}

async function placeOf(store: Store, { thread_id }: Instance, since: string): Promise<number> {
  if (!isMessageId(since)) {
    const at = parseTime(since, field('since'), 'the id of an entry or a time')
    return store.entriesUntil(thread_id, at)
  }
  const message = await store.message(since)
  if (message?.thread_id === thread_id) return message.seq
  throw refuse.not_found`there is no entry ${since} in this channel; leave ${field('since')} out, or see ${operation('workflow context read')}`
}

/** The next entries after a place, or the last ones. */
export async function readChannel(
  { store, caller }: Pick<Context, 'store' | 'caller'>,
  instance: Instance,
  { since, limit }: { since?: string | undefined; limit: number },
): Promise<ChannelPage> {
  const { instance: name, run, thread_id } = instance
  // Read the end of the log first, so that entries added later are after the cursor in the answer.
  const [next_event_id, from] = await Promise.all([
    store.lastEventId(),
    since === undefined ? undefined : placeOf(store, instance, since),
  ])
  const page = makePage<EntryMessage>(limit)
  const turn = turnsFor({ store, caller })
  let isWhole = false
  while (!isWhole && page.want() > 0) {
    await turn()
    const last = page.items.at(-1)?.seq
    const count = Math.min(page.want(), PIECE)
    const found = await store.entries({
      thread: thread_id,
      limit: count,
      ...(from === undefined ? { last: true, before: last } : { after: last ?? from }),
    })
    const isAllIn = page.add(from === undefined ? found.reverse() : found)
    if (!isAllIn) break
    isWhole = found.length < count
  }
  const items = from === undefined ? page.items.reverse() : page.items
  const entries = items.map((message) => entryOf(message, name))
  return { instance: name, run, thread_id, entries, has_more: !isWhole, next_event_id }
}
