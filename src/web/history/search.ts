// The address of the history holds its filters.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { MAIL_TYPES, type MailType } from '../../core/vocabulary.ts'
import type { PageInput } from '../api/call.ts'

export type HistorySearch = {
  /** Types, with commas between them. */
  type?: string
  agent?: string
  q?: string
}

export function readHistorySearch(given: Record<string, unknown>): HistorySearch {
  const text = (value: unknown) =>
    (typeof value === 'string' || typeof value === 'number') && value !== ''
      ? String(value)
      : undefined
  const types = typesIn(text(given.type))
  const agent = text(given.agent)
  const q = text(given.q)
  return {
    ...(types.length === 0 ? {} : { type: types.join(',') }),
    ...(agent === undefined ? {} : { agent }),
    ...(q === undefined ? {} : { q }),
  }
}

export function typesIn(words: string | undefined): MailType[] {
  const given = words?.split(',') ?? []
  return MAIL_TYPES.filter((type) => given.includes(type))
}

/** The filter as the operation takes it. */
export function filterOf({ type, agent, q }: HistorySearch): PageInput<'mail history'> {
  const types = typesIn(type)
  return {
    ...(types.length === 0 ? {} : { type: types }),
    ...(agent === undefined ? {} : { with: agent }),
    ...(q === undefined ? {} : { text: q }),
  }
}

export function useHistorySearch(): [
  HistorySearch,
  (next: Partial<Record<keyof HistorySearch, string | undefined>>) => void,
] {
  const search = useSearch({ from: '/history' })
  const navigate = useNavigate()
  const set = useCallback(
    (next: Partial<Record<keyof HistorySearch, string | undefined>>) =>
      void navigate({
        to: '.',
        search: (before: HistorySearch) => readHistorySearch({ ...before, ...next }),
        replace: true,
      }),
    [navigate],
  )
  return [search, set]
}
