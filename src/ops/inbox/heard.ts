// What a token for some sets hears of the log: what these sets are about.

import { EVENT_TYPES, EVENTS, type EventOf, type EventType } from '../../core/event.ts'
import type { Principal, ToolSet } from '../../core/principal.ts'

const HEARD: Record<ToolSet, readonly EventOf[]> = {
  workspace: ['push'],
  mailbox: ['mail', 'delivery'],
  threads: ['work'],
}

/** Undefined: everything. */
export function heardBy({ sets }: Pick<Principal, 'sets'>): EventType[] | undefined {
  if (sets === undefined) return undefined
  return EVENT_TYPES.filter((type) => sets.some((set) => isOf(type, set)))
}

export function unheardBy(principal: Pick<Principal, 'sets'>): EventType[] {
  const heard = heardBy(principal)
  return heard === undefined ? [] : EVENT_TYPES.filter((type) => !heard.includes(type))
}

/** A read mark is of work by its name, and stands in threads of every kind. */
function isOf(type: EventType, set: ToolSet): boolean {
  return HEARD[set].includes(EVENTS[type].of) && type !== 'thread_read'
}
