// The filters of the inbox under a name, which they suggest themselves.

import { SaveView } from '../../shell/save-view.tsx'
import type { InboxFilters } from './search.ts'

export function SaveFilters({ filters }: { filters: InboxFilters }) {
  return <SaveView suggested={nameFor(filters)} />
}

function nameFor({ view, agent, q }: InboxFilters): string {
  const parts = [
    ...(view === undefined ? [] : [view]),
    ...(agent === undefined ? [] : [`from ${agent}`]),
    ...(q === undefined ? [] : [q]),
  ]
  const words = parts.join(' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
