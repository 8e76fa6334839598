// The address of the history holds its filters.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { MAIL_TYPES, type MailType } from '../../core/vocabulary.ts'
import type { PageInput } from '../api/call.ts'

export type HistorySearch = {
  /** Types, with commas between them. */
  type?: string
  agent?: string
  /** The id of a workspace. */
  ws?: string
  /** Seen from the person who looks. */
  dir?: 'in' | 'out'
  /** Days as the person's clock has them, the last one included. */
  from?: string
  to?: string
  q?: string
}

function readHistorySearch(given: Record<string, unknown>): HistorySearch {
  const text = (name: keyof HistorySearch) => {
    const value = given[name]
    const isText = (typeof value === 'string' || typeof value === 'number') && value !== ''
    return isText ? { [name]: String(value) } : {}
  }
  const types = typesIn(text('type').type)
  const days = [dayIn(given.from), dayIn(given.to)]
  const [from, to] = days.every((day) => day !== undefined) ? days.toSorted() : days
  return {
    ...(types.length === 0 ? {} : { type: types.join(',') }),
    ...text('agent'),
    ...text('ws'),
    ...(given.dir === 'in' || given.dir === 'out' ? { dir: given.dir } : {}),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...text('q'),
  }
}

function dayIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined
  return Number.isNaN(Date.parse(value)) ? undefined : value
}

export function typesIn(words: string | undefined): MailType[] {
  const given = words?.split(',') ?? []
  return MAIL_TYPES.filter((type) => given.includes(type))
}

/** The filter as the operations take it, without the types: those are counted one by one. */
export type PageFilter = PageInput<'mail count'>

export function filterOf({ agent, ws, dir, from, to, q }: HistorySearch): PageFilter {
  return {
    ...(agent === undefined ? {} : { with: agent }),
    ...(ws === undefined ? {} : { workspace: ws }),
    ...(dir === undefined ? {} : { direction: dir }),
    ...(from === undefined ? {} : { since: beginOf(from).toISOString() }),
    ...(to === undefined ? {} : { until: new Date(beginOf(to, 1).getTime() - 1).toISOString() }),
    ...(q === undefined ? {} : { text: q }),
  }
}

/** The first moment of a day, here, or of one that is so many days later. */
function beginOf(day: string, later = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later)
}

export type FilterChange = Partial<Record<keyof HistorySearch, string | undefined>>

export function useHistorySearch(): [HistorySearch, (next: FilterChange) => void] {
  const given = useSearch({ from: '/history' })
  // The router keeps words of the address that the reader left out.
  const search = useMemo(() => readHistorySearch(given), [given])
  const navigate = useNavigate()
  const set = useCallback(
    (next: FilterChange) =>
      void navigate({
        to: '.',
        search: (before: HistorySearch) => readHistorySearch({ ...before, ...next }),
        replace: true,
      }),
    [navigate],
  )
  return [search, set]
}
