// Rebuilds deliveries from the log for stores from before deliveries existed, or from when writing still acted on
// messages that weren't shown. Uses the same fold as replay, thread by thread, so that only one is in memory.

import type { LoggedEvent } from '../../core/event.ts'
import { type Delivery, RECEIPT_FIELDS } from '../../core/inbox/delivery.ts'
import { emptyReplay, replayEvent, withoutWords } from '../../core/keeping/replay.ts'
import type { Message } from '../../core/threads/message.ts'
import { allDeskWrites } from '../desk/desk-row-writes.ts'
import type { Write } from '../querier.ts'

/** Deliveries have had their current form since this migration. */
const AS_NOW = 3

/** Whether a store of this version needs its deliveries rebuilt; a new store doesn't. */
export function needsRebuild(version: number): boolean {
  return version > 0 && version < AS_NOW
}

/** People have had desks since this migration. */
const WITH_DESKS = 9

/** The writes that create the desks of a store of this version; nothing is snoozed there yet. */
export function deskRebuild(version: number): Write[] {
  return version > 0 && version < WITH_DESKS ? allDeskWrites('') : []
}

export const OLD_EVENTS = `
  select e.*, m.seq, m.from_agent, m.to_agent, m.kind, m.in_reply_to
  from events e left join messages m on m.message_id = e.message_id`
export const OLD_ORDER = 'order by e.thread_id, e.event_id'

export type OldRow = LoggedEvent &
  (Pick<Message, 'seq' | 'from_agent' | 'to_agent' | 'kind' | 'in_reply_to'> | { seq: null })

export function deliveryRebuild() {
  let thread = ''
  let replayed = emptyReplay()
  const finished = (): Delivery[] => {
    const made = [...replayed.deliveries.values()].flat()
    replayed = emptyReplay()
    return made
  }
  return {
    /** Adds the log's next entry. If it starts another thread, returns the deliveries of the thread before it. */
    add(row: OldRow): Delivery[] {
      const made = row.thread_id === thread ? [] : finished()
      thread = row.thread_id
      const { event, message } = entryOf(row)
      // Events that don't fit are left for doctor to report.
      replayEvent(replayed, event, message)
      return made
    },
    end: finished,
  }
}

function entryOf(row: OldRow): { event: LoggedEvent; message: Message | null } {
  if (row.seq === null) return { event: row, message: null }
  const { seq, from_agent, to_agent, kind, in_reply_to, ...event } = row
  const { thread_id, created_at } = event
  const said = { message_id: event.message_id ?? '', thread_id, seq, from_agent, to_agent, kind }
  return { event, message: withoutWords({ ...said, in_reply_to, created_at }) }
}

export const DELIVERY_COLUMNS = [
  'event_id',
  'message_id',
  'thread_id',
  'seq',
  'kind',
  ...RECEIPT_FIELDS,
] as const satisfies readonly (keyof Delivery)[]
