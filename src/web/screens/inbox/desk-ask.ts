// The inbox asks the server for its rows by the filters in its address.

import type { OperationAnswer } from '../../../ops/typed-call.ts'
import { CallRefusal, call, type PageInput } from '../../api/call.ts'
import { firstIsHere } from '../../api/first.ts'
import type { InboxFilters } from './search.ts'

export type DeskAnswer = OperationAnswer<'desk list'>
export type ListedRow = DeskAnswer['rows'][number]
export type DeskDays = OperationAnswer<'desk days'>

export type CountedPart = { before?: number; after?: number; limit?: number }

export type DeskAsk = {
  /** The first rows, and with them what needs the person. */
  head: (signal: AbortSignal) => Promise<DeskAnswer>
  /** Nothing for a list that the server does not count. */
  days: (part: CountedPart, signal: AbortSignal) => Promise<DeskDays | null>
  page: (page: { before: number | null; limit: number }, signal: AbortSignal) => Promise<DeskAnswer>
  around: (id: string, signal: AbortSignal) => Promise<ListedRow | null>
  /** Whether asking again may help: a server that is away comes back, a refusal stays. */
  isAway: (error: unknown) => boolean
}

/** The rows that the page shows first. */
const HEAD = 100
/** A list by workspaces has to know its rows, so it begins with more. */
const GROUPED = 500

export function isFiltered({ view, ws, agent, q }: InboxFilters): boolean {
  return view !== undefined || ws !== undefined || agent !== undefined || q !== undefined
}

export function deskAsk(search: InboxFilters): DeskAsk {
  const { view, ws, agent, q, group } = search
  const filter: PageInput<'desk list'> = {
    ...(view === 'unread' ? { unread: true } : {}),
    ...(view === 'snoozed' ? { snoozed: true } : {}),
    ...(ws === undefined ? {} : { workspace: ws }),
    ...(agent === undefined ? {} : { from: agent }),
    ...(q === undefined ? {} : { text: q }),
  }
  const offset = { utc_offset_minutes: -new Date().getTimezoneOffset() }
  return {
    head: (signal) => {
      const limit = group === undefined ? HEAD : GROUPED
      const above = isFiltered(search) ? {} : { with_needs_you: true }
      return call('desk list', { ...filter, ...above, limit }, { signal }).finally(firstIsHere)
    },
    days: async (part, signal) =>
      q === undefined ? call('desk days', { ...filter, ...offset, ...part }, { signal }) : null,
    page: ({ before, limit }, signal) =>
      call('desk list', { ...filter, limit, ...(before === null ? {} : { before }) }, { signal }),
    around: async (id, signal) => {
      const { rows } = await call('desk list', { ...filter, around: id, limit: 1 }, { signal })
      return rows.find(({ thread_id }) => thread_id === id) ?? null
    },
    isAway: (error) => error instanceof CallRefusal && (error.status === 0 || error.status >= 500),
  }
}
