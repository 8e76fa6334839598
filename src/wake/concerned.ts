// Whom something in the log concerns: the thread, its two parties, and whoever it was delivered to. Those
// who wait for one of these look; the others sleep on.

import type { LoggedEvent } from '../core/event.ts'
import type { Store } from '../core/store.ts'

/** More at once, and everybody looks: that is cheaper than to ask. */
const MOST_EVENTS = 200

export type Concerned = { names: ReadonlySet<string> | 'everybody'; end: number }

export async function concernedAfter(
  store: Pick<Store, 'events' | 'thread' | 'lastEventId'>,
  after: number,
): Promise<Concerned> {
  const events = await store.events({ after, without: [], limit: MOST_EVENTS })
  if (events.length === MOST_EVENTS) return { names: 'everybody', end: await store.lastEventId() }
  const names = new Set<string>()
  for (const event of events) for (const name of namedIn(event)) names.add(name)
  const threads = [...new Set(events.map(({ thread_id }) => thread_id))].filter((id) => id !== '')
  for (const state of await Promise.all(threads.map((id) => store.thread(id)))) {
    if (state === null) continue
    names.add(state.thread.created_by)
    names.add(state.thread.assigned_to)
  }
  return { names, end: events.at(-1)?.event_id ?? after }
}

function namedIn({ thread_id, payload_json }: LoggedEvent): string[] {
  const { recipient, recipients = [] } = JSON.parse(payload_json) as {
    recipient?: string
    recipients?: string[]
  }
  return [thread_id, ...recipients, ...(recipient === undefined ? [] : [recipient])]
}
