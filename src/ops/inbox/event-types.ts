import { EVENT_TYPES, EVENTS, type EventType } from '../../core/event.ts'
import { isKind, KINDS } from '../../core/kinds.ts'
import type { Principal, ToolSet } from '../../core/principal.ts'

export function eventTypesFor({ sets }: Pick<Principal, 'sets'>): EventType[] | undefined {
  if (sets === undefined) return undefined
  return EVENT_TYPES.filter((type) => sets.some((set) => set === setOf(type)))
}

export function eventTypesHiddenFrom(principal: Pick<Principal, 'sets'>): EventType[] {
  const heard = eventTypesFor(principal)
  return heard === undefined ? [] : EVENT_TYPES.filter((type) => !heard.includes(type))
}

/** Undefined if only tokens without limits get this type of event. */
function setOf(type: EventType): ToolSet | undefined {
  const { of } = EVENTS[type]
  // A read mark's type has a work prefix, but occurs in threads of every kind.
  if (type === 'thread_read') return undefined
  if (of === 'delivery') return 'mailbox'
  return isKind(of) ? KINDS[of].set : undefined
}
