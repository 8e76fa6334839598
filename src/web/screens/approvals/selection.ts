// Selects requests to approve together. Only requests that don't need closer review qualify: they must be low-risk and
// all of the same type.

import { useState } from 'react'
import type { ListedRequest } from '../../items/request/request-query.ts'
import { type KeyCommand, useCommands } from '../../ui/commands.ts'
import { showToast } from '../../ui/toasts.tsx'
import { isWaiting } from './rows.ts'

export const MOST_SELECTED = 20

type SelectedRows = ReadonlyMap<string, ListedRequest>

export type RowSelection = {
  isOn: boolean
  /** The rows as they were when the person selected them, because that's what the person is deciding on. */
  selected: SelectedRows
  toggle: (row: ListedRequest) => void
  end: () => void
}

/** Returns why the row can't be selected, or null if it can be or already is. */
export function whyNotSelected(row: ListedRequest, selected: SelectedRows): string | null {
  if (selected.has(row.request_id)) return null
  if (!isWaiting(row)) return 'This request isn’t pending'
  if (row.type === 'question') return 'Questions can’t be approved together'
  if (row.risk !== 'low') return 'Only low-risk requests can be approved together'
  const [first] = selected.values()
  if (first !== undefined && first.type !== row.type)
    return 'Only requests of the same type can be approved together'
  return selected.size < MOST_SELECTED ? null : `You can select up to ${MOST_SELECTED} at once`
}

export function useSelection(
  rows: readonly ListedRequest[],
  openId: string | undefined,
  move: (step: number) => void,
): RowSelection {
  const [isOn, setOn] = useState(false)
  const [chosen, setChosen] = useState<SelectedRows>(new Map())
  // Drop rows from the selection once they've been decided or changed.
  const present = new Map(rows.map((row) => [row.request_id, row]))
  const isPresent = ([id, { revision }]: [string, ListedRequest]) => {
    const row = present.get(id)
    return row?.revision === revision && isWaiting(row)
  }
  const selected = new Map([...chosen].filter(isPresent))
  const end = () => {
    setOn(false)
    setChosen(new Map())
  }
  /** Skips rows that can't be selected. A toast says why the last of them was skipped. */
  const select = (wanted: readonly ListedRequest[], from: SelectedRows = selected) => {
    const next = new Map(from)
    for (const row of wanted) {
      const why = whyNotSelected(row, next)
      if (why === null) next.set(row.request_id, row)
      else showToast({ id: 'selection', text: why })
    }
    setChosen(next)
    setOn(next.size > 0 || isOn)
  }
  const toggle = (row: ListedRequest) => {
    const others = new Map(selected)
    select(others.delete(row.request_id) ? [] : [row], others)
  }
  const at = rows.findIndex(({ request_id }) => request_id === openId)
  const row = rows[at]
  const begin = () => (row === undefined ? setOn(true) : toggle(row))
  const group = 'Approvals'
  const extend = (title: string, keys: string, step: number): KeyCommand => {
    const run = () => {
      // If no row is open, this only opens the first one, as in the inbox.
      if (row !== undefined) select([row, rows[at + step] ?? row])
      move(step)
    }
    return { title, keys, group, repeats: true, run }
  }
  const leave = { title: 'Clear the selection', keys: 'Escape', group, run: end }
  useCommands([
    { title: 'Select for bulk approval', keys: 'x', group, run: begin },
    extend('Extend selection down', 'J', 1),
    extend('Extend selection up', 'K', -1),
    ...(isOn ? [leave] : []),
  ])
  return { isOn, selected, toggle, end }
}
