// An event concerns its thread, the thread's two parties, and the recipients of its message; what is for a role
// concerns its members. A wait for one of these looks; all others sleep on.

import { isRole, queueOf } from '../core/agents/address.ts'
import type { LoggedEvent } from '../core/event.ts'
import { isWhole } from '../core/page-bytes.ts'
import type { Store } from '../core/store.ts'

/** With more new events than this, everybody looks: that is cheaper than finding out whom they concern. */
const MOST_EVENTS = 200

export type ConcernedNames = { names: ReadonlySet<string> | 'everybody'; end: number }

export async function findConcerned(
  store: Pick<Store, 'events' | 'thread' | 'message' | 'agents' | 'lastEventId'>,
  after: number,
): Promise<ConcernedNames> {
  const events = await store.events({ after, without: [], limit: MOST_EVENTS })
  if (!isWhole(events, MOST_EVENTS)) return { names: 'everybody', end: await store.lastEventId() }
  const names = new Set<string>()
  for (const event of events) {
    names.add(event.thread_id)
    for (const name of await recipientsIn(store, event)) names.add(name)
  }
  const threads = [...new Set(events.map(({ thread_id }) => thread_id))].filter((id) => id !== '')
  for (const state of await Promise.all(threads.map((id) => store.thread(id)))) {
    if (state === null) continue
    names.add(state.thread.created_by)
    names.add(state.thread.assigned_to)
  }
  // Members are asked for now: an agent may have got the role since it began to wait.
  const roles = [...names].filter(isRole).map((name) => name.slice(queueOf('').length))
  const members = await Promise.all(roles.map((role) => store.agents({ role })))
  for (const { agent_id } of members.flat()) names.add(agent_id)
  return { names, end: events.at(-1)?.event_id ?? after }
}

/** The recipients of an event's message, or those whose deliveries the event changes. */
export async function recipientsIn(
  store: Pick<Store, 'message'>,
  { payload_json, message_id }: LoggedEvent,
): Promise<readonly string[]> {
  const { recipient, recipients } = JSON.parse(payload_json) as {
    recipient?: string
    recipients?: string[]
  }
  if (recipients !== undefined) return recipients
  if (recipient !== undefined) return [recipient]
  // On a work thread the message names its recipient, who need not be one of the thread's two parties.
  const message = message_id === null ? null : await store.message(message_id)
  return message === null || message.kind === 'event' ? [] : [message.to_agent]
}
