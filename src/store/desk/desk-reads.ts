// A person's desk, read the same way on both engines. First finds the threads of a page, using only an index; then
// reads the details a list shows.

import {
  BACK_ABOVE,
  type DeskFilter,
  type DeskItem,
  type DeskLooks,
  type DeskPlace,
  type DeskReads,
  type DeskSearch,
  type DeskTime,
  type FoundOnDesk,
  type NeedsCount,
  type NeedsFilter,
  type NeedsPage,
} from '../../core/desk/desk-reads.ts'
import type { Instant } from '../../core/time.ts'
import { count, first, type Querier } from '../querier.ts'
import { inFewLengths, lowerText } from '../threads/history-reads.ts'

export function makeDeskReads(querier: Querier): DeskReads {
  return {
    async deskPlace(person, thread_id) {
      type Place = { event_id: number; is_back: number }
      const row = await first(querier.all<Place>('desk_place', { person, thread_id }))
      return row && row.event_id + row.is_back * BACK_ABOVE
    },
  }
}

export function makeDeskLooks(querier: Querier): DeskLooks {
  return {
    desk: async (filter) => shown(querier, filter.person, await placesOf(querier, filter)),
    deskTimes: (filter) => readTimes(querier, filter),
    searchDesk: (search) => searchDesk(querier, search),
    deskNeeds: (filter) => readNeeds(querier, filter),
    deskNeedsCount: (person) => countNeeds(querier, person),
    deskUnread: (person, form) =>
      count(querier, 'desk_unread', { person, is_notification: isNotification(form) }),
  }
}

/** The parts of a desk: threads whose snooze has expired (few, listed first), other threads, and snoozed threads. */
type DeskPart = 'desk_back' | 'desk_awake' | 'desk_asleep'
type PlaceOnDesk = { thread_id: string; event_id: number; at?: Instant; unread?: number }
/** Later than any real time. */
const NEVER = '9999'

async function placesOf(querier: Querier, filter: DeskFilter): Promise<PlaceOnDesk[]> {
  const { after, limit, snoozed } = filter
  const read = (part: DeskPart, room: number) =>
    room === 0 ? [] : placesIn(querier, part, { ...filter, limit: room })
  if (snoozed) return read('desk_asleep', limit)
  // When paging up from below, threads whose snooze has expired come last.
  if (after !== undefined) {
    const low = await read('desk_awake', limit)
    return [...(await read('desk_back', limit - low.length)), ...low]
  }
  const high = await read('desk_back', limit)
  return [...high, ...(await read('desk_awake', limit - high.length))]
}

async function placesIn(
  querier: Querier,
  part: DeskPart,
  filter: DeskFilter,
  isUp = filter.after !== undefined,
): Promise<PlaceOnDesk[]> {
  const { person, form, before, after, limit } = filter
  const lift = part === 'desk_back' ? BACK_ABOVE : 0
  if (before !== undefined && before <= lift) return []
  const rows = await querier.all<PlaceOnDesk>(part, {
    person,
    is_notification: isNotification(form),
    limit,
    ...narrowing(filter),
    // A thread whose snooze has expired is placed above all others.
    before: before === undefined || (lift === 0 && before > BACK_ABOVE) ? undefined : before - lift,
    after: after === undefined ? undefined : after - lift,
    down: isUp ? undefined : 1,
  })
  if (isUp) rows.reverse()
  return rows.map((row) => ({ ...row, event_id: row.event_id + lift }))
}

type ShownRow = Omit<DeskItem, 'event_id' | 'snoozed_until' | 'woken'> &
  Pick<DeskPlace, 'wakes_at' | 'is_woken'> & { is_back: number }

/** Reads the given threads, in order. If there's a search text, returns only the threads that contain it. */
async function shown(
  querier: Querier,
  person: string,
  places: readonly PlaceOnDesk[],
  text?: string,
): Promise<DeskItem[]> {
  if (places.length === 0) return []
  const threads = inFewLengths(places.map(({ thread_id }) => thread_id))
  const part = text === undefined ? undefined : lowerText(text)
  const rows = await querier.all<ShownRow>('desk_shown', { person, threads, part })
  const byId = new Map(rows.map((row) => [row.thread_id, row]))
  return places.flatMap(({ thread_id, event_id }) => {
    const row = byId.get(thread_id)
    return row === undefined ? [] : [toItem(row, event_id)]
  })
}

function toItem({ wakes_at, is_woken, is_back, ...row }: ShownRow, event_id: number): DeskItem {
  const isTimed = wakes_at !== '' && wakes_at < NEVER && is_back === 0
  const woken = is_back === 1 || is_woken === 1
  return { ...row, event_id, snoozed_until: isTimed ? wakes_at : null, woken }
}

async function readTimes(querier: Querier, filter: DeskFilter): Promise<DeskTime[]> {
  const { person, form, before, after: upTo, limit, snoozed } = filter
  const high = await placesIn(querier, snoozed ? 'desk_asleep' : 'desk_back', filter, false)
  const found = high.map(({ event_id, at = '', unread = 0 }) => ({
    event_id,
    at,
    isUnread: unread > 0,
  }))
  const room = limit - found.length
  if (snoozed || room === 0) return found
  const params = {
    person,
    is_notification: isNotification(form),
    ...narrowing(filter),
    limit: room,
    before: before !== undefined && before <= BACK_ABOVE ? before : undefined,
    after: upTo,
  }
  const low = await querier.all<{ event_id: number; at: Instant }>('desk_times', params)
  const after = low.length < room ? upTo : (low.at(-1)?.event_id ?? 1) - 1
  const left = { ...params, after, unread_only: 1 }
  const unread = filter.unreadOnly
    ? low
    : await querier.all<{ event_id: number }>('desk_times', left)
  const isUnread = new Set(unread.map(({ event_id }) => event_id))
  return [...found, ...low.map((row) => ({ ...row, isUnread: isUnread.has(row.event_id) }))]
}

/** Searches up to `looks` threads, and returns those that contain the text. */
async function searchDesk(
  querier: Querier,
  { text, looks, ...filter }: DeskSearch,
): Promise<FoundOnDesk> {
  const places = await placesOf(querier, { ...filter, limit: looks })
  const found = await shown(querier, filter.person, places, text)
  const items = found.slice(0, filter.limit)
  const last = found.length > items.length ? items.at(-1) : places.at(looks - 1)
  return { items, bottom: last?.event_id ?? null }
}

async function readNeeds(querier: Querier, filter: NeedsFilter): Promise<NeedsPage> {
  const { person, after, limit } = filter
  const place = await needsPlace(querier, person, after)
  const wanted = { person, limit: limit + 1, ...place, ...narrowing(filter) }
  const found = await querier.all<PlaceOnDesk>('desk_needs', wanted)
  const page = found.slice(0, limit)
  const items = await shown(querier, person, page)
  return { items, next: found.length > limit ? (page.at(-1)?.event_id ?? null) : null }
}

/** Threads that need someone are sorted by expiry first, which isn't part of the place. */
async function needsPlace(querier: Querier, person: string, event_id: number | undefined) {
  if (event_id === undefined) return { after_by: undefined, after_event: undefined }
  const asked = { person, event_id }
  const row = await first(querier.all<{ wanted_by: string }>('desk_needs_place', asked))
  return { after_by: row?.wanted_by ?? '', after_event: event_id }
}

async function countNeeds(querier: Querier, person: string): Promise<NeedsCount> {
  type Counted = { needs: string; n: number; soonest: string }
  const rows = await querier.all<Counted>('desk_needs_count', { person })
  const requests = rows.find(({ needs }) => needs === 'request')
  const questions = rows.find(({ needs }) => needs === 'question')
  const soonest = requests?.soonest ?? NEVER
  return {
    requests: requests?.n ?? 0,
    questions: questions?.n ?? 0,
    soonest: soonest < NEVER ? soonest : null,
  }
}

function narrowing({ unreadOnly, workspaceId, from }: NeedsFilter | DeskFilter) {
  return {
    unread_only: unreadOnly ? 1 : undefined,
    workspace_id: workspaceId,
    from_agent: from,
  }
}

function isNotification(form: DeskFilter['form']): number {
  return form === 'notification' ? 1 : 0
}
