// The address of the screen of threads holds everything that is chosen there: the tab, whose work, the words that are
// looked for, and the message that is pointed at.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { ThreadTab } from './tabs.ts'

// The page that is loaded first reads addresses, so it names the tabs itself. The first of them needs no name.
const TABS: Record<Exclude<ThreadTab, 'blocked'>, true> = { active: true, waiting: true, all: true }

export type ThreadSearch = { state?: ThreadTab; agent?: string; q?: string; at?: string }

export function readThreadSearch({ state, agent, q, at }: Record<string, unknown>): ThreadSearch {
  const isTab = typeof state === 'string' && Object.hasOwn(TABS, state)
  return {
    ...(isTab ? { state: state as ThreadTab } : {}),
    ...wordIn('agent', agent),
    // A search for a number comes as one.
    ...wordIn('q', typeof q === 'number' ? String(q) : q),
    ...wordIn('at', at),
  }
}

function wordIn(key: 'agent' | 'q' | 'at', value: unknown): ThreadSearch {
  return typeof value === 'string' && value !== '' ? { [key]: value.slice(0, 200) } : {}
}

type SearchChange = { [Key in keyof ThreadSearch]?: ThreadSearch[Key] | undefined }

export function useThreadSearch(): [ThreadSearch, (next: SearchChange) => void] {
  // A linked thread is open at the address of its request.
  const search: ThreadSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const set = useCallback(
    (next: SearchChange) =>
      void navigate({
        to: '.',
        search: (before: ThreadSearch) => ({ ...before, ...next }) as ThreadSearch,
        replace: true,
      }),
    [navigate],
  )
  return [search, set]
}
