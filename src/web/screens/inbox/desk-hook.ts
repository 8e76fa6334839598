// The desk that the filters in the address ask for, live.

import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { dayOf } from '../../ui/time.tsx'
import { deskAsk, type ListedRow } from './desk-ask.ts'
import { type Desk, makeDesk } from './desk-loader.ts'
import type { DeskState } from './desk-state.ts'
import { type RowView, viewOf, viewOfGroups } from './desk-view.ts'
import type { InboxFilters } from './search.ts'

export type ShownDesk = {
  desk: Desk
  state: DeskState
  /** The rows are those of the filters before, until these have theirs. */
  isOld: boolean
}

export function useDesk(filters: InboxFilters): ShownDesk {
  const key = JSON.stringify(filters)
  const desk = useMemo(() => makeDesk(deskAsk(JSON.parse(key)), localDay), [key])
  // The stream says that the answers of `desk list` are no longer true. How often that is worth asking for is the
  // desk's to say, so nothing but the news is kept under this key.
  useQuery({
    queryKey: ['desk list', { changes: key }],
    queryFn: () => {
      desk.changed()
      return null
    },
    staleTime: 0,
  })
  useEffect(() => () => desk.end(), [desk])
  const state = useSyncExternalStore(desk.watch, desk.state)
  const last = useRef(state)
  const isEmpty = !state.isReady && state.pieces.length === 0 && state.error === null
  if (!isEmpty) last.current = state
  return { desk, state: isEmpty ? last.current : state, isOld: isEmpty && last.current !== state }
}

function localDay({ at }: ListedRow): string {
  const moment = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return [moment.getFullYear(), two(moment.getMonth() + 1), two(moment.getDate())].join('-')
}

const WITHOUT = 'Without a workspace'

export function useRowView(
  { pieces, hidden, rows }: DeskState,
  group: InboxFilters['group'],
  now: number,
): RowView {
  const today = new Date(now).toDateString()
  return useMemo(() => {
    // A day's name does not change within a day.
    const noon = new Date(today).setHours(12)
    const heading = (day: string) => dayOf(new Date(`${day}T13:00`), noon)
    const view = viewOf(pieces, hidden, heading)
    if (group !== 'workspace') return view
    const known = pieces.flatMap(({ ids }) => ids).filter((id) => !hidden.has(id))
    const label = (id: string) => rows.get(id)?.workspace_label || WITHOUT
    const groups = [...Map.groupBy(known, label)].map(([name, ids]) => ({ label: name, ids }))
    return viewOfGroups(groups)
  }, [pieces, hidden, rows, group, today])
}
