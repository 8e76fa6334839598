import { BACK_ABOVE } from '../../../core/desk/desk-reads.ts'
import { dayOf } from '../../ui/time.tsx'
import type { WindowGroup } from '../../ui/window-layout.ts'
import type { ListedRow } from './page.ts'

export type GroupedRows = { groups: WindowGroup[]; rows: readonly ListedRow[] }

/** Which ends of the list aren't loaded: a group there may have more rows, so its count isn't shown. */
export type OpenEnds = { hasEarlier: boolean; hasMore: boolean }

export function groupByDay(
  rows: readonly ListedRow[],
  now: number,
  { hasEarlier, hasMore }: OpenEnds,
): GroupedRows {
  const groups: WindowGroup[] = []
  const labels = new Map<string, string>()
  let last: WindowGroup | undefined
  for (const { at, event_id } of rows) {
    // A thread that came back from a snooze is at the top of the list, with today's threads.
    const moment = new Date(event_id > BACK_ABOVE ? now : at)
    const day = moment.toDateString()
    // Cache the label: formatting a date is slow, and most rows share their date with others.
    const label = labels.get(day) ?? dayOf(moment, now)
    labels.set(day, label)
    if (last?.label === label) last.count += 1
    else {
      // Imported messages may be out of order, so a day may appear twice.
      const isSecond = groups.some((group) => group.label === label)
      last = { key: isSecond ? `${label} ${groups.length}` : label, label, count: 1 }
      groups.push(last)
    }
  }
  for (const [index, group] of groups.entries()) {
    const isCut = (hasEarlier && index === 0) || (hasMore && index === groups.length - 1)
    if (!isCut) group.note = group.count.toLocaleString()
  }
  return { groups, rows }
}

export function groupByWorkspace(rows: readonly ListedRow[]): GroupedRows {
  const own = Map.groupBy(rows, (row) => row.workspace_label || 'No workspace')
  return {
    groups: [...own].map(([label, { length }]) => ({
      key: label,
      label,
      count: length,
      note: length.toLocaleString(),
    })),
    rows: [...own.values()].flat(),
  }
}
