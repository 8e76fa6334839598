// Several requests are decided together only where nobody needs to look twice: of one type, and each of low risk.

import { useMemo, useState } from 'react'
import type { ListedRequest } from '../../items/request/request-query.ts'
import { useCommands } from '../../ui/commands.ts'
import { notify } from '../../ui/toasts.tsx'

export const MOST_PICKED = 20

type PickedRows = ReadonlyMap<string, ListedRequest>

export type RowSelection = {
  isOn: boolean
  /** The rows as they were when they were picked: what was seen is what is decided. */
  picked: PickedRows
  toggle: (row: ListedRequest) => void
  end: () => void
}

/** Null if it may be picked, or is. */
export function whyNotPicked(row: ListedRequest, picked: PickedRows): string | null {
  if (picked.has(row.request_id)) return null
  if (row.status !== 'pending' || row.held_until !== null) return 'It is not pending'
  if (row.type === 'question') return 'A question needs an answer of its own'
  if (row.risk !== 'low') return 'Only requests of low risk are approved together'
  const [first] = picked.values()
  if (first !== undefined && first.type !== row.type) return 'Only requests of one type'
  return picked.size < MOST_PICKED ? null : `At most ${MOST_PICKED} at once`
}

export function usePicking(
  rows: readonly ListedRequest[],
  openId: string | undefined,
  move: (step: number) => void,
): RowSelection {
  const [isOn, setOn] = useState(false)
  const [chosen, setChosen] = useState<PickedRows>(new Map())
  // A row that was decided or changed meanwhile is picked no longer.
  const picked = useMemo(() => {
    const present = new Map(rows.map((row) => [row.request_id, row]))
    const isSame = ([id, { revision }]: [string, ListedRequest]) => {
      const row = present.get(id)
      return row?.revision === revision && row.status === 'pending' && row.held_until === null
    }
    return new Map([...chosen].filter(isSame))
  }, [rows, chosen])
  const picking = useMemo(() => {
    const end = () => {
      setOn(false)
      setChosen(new Map())
    }
    /** Rows that may not be picked are left out, and the last of them says why. */
    const pick = (wanted: readonly ListedRequest[], from: PickedRows = picked) => {
      const next = new Map(from)
      for (const row of wanted) {
        const why = whyNotPicked(row, next)
        if (why === null) next.set(row.request_id, row)
        else notify({ id: 'picking', text: why })
      }
      setChosen(next)
      setOn(next.size > 0 || isOn)
    }
    const toggle = (row: ListedRequest) => {
      const others = new Map(picked)
      pick(others.delete(row.request_id) ? [] : [row], others)
    }
    return { isOn, picked, pick, toggle, end }
  }, [isOn, picked])
  useCommands(
    useMemo(() => {
      const at = rows.findIndex(({ request_id }) => request_id === openId)
      const row = rows[at]
      const pick = {
        title: 'Select for several at once',
        keys: 'x',
        group: 'Approvals',
        run: () => (row === undefined ? setOn(true) : picking.toggle(row)),
      }
      const leave = {
        title: 'Leave the selection',
        keys: 'Escape',
        group: 'Approvals',
        run: picking.end,
      }
      const extend = (title: string, keys: string, step: number) => ({
        ...{ title, keys, group: 'Approvals', repeats: true },
        run() {
          // Without an open row the first is opened alone, as in the inbox.
          if (row !== undefined) picking.pick([row, rows[at + step] ?? row])
          move(step)
        },
      })
      const all = [
        pick,
        extend('Select with the next', 'J', 1),
        extend('Select with the previous', 'K', -1),
      ]
      return picking.isOn ? [...all, leave] : all
    }, [rows, openId, picking, move]),
  )
  return picking
}
