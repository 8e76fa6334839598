// Several requests are decided together only where nobody needs to look twice: of one type, and each of low risk.

import { useMemo, useState } from 'react'
import { useCommands } from '../shell/commands.ts'
import { notify } from '../shell/notices.tsx'
import type { ListedRequest } from './request-answer.ts'

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
    const toggle = (row: ListedRequest) => {
      const why = whyNotPicked(row, picked)
      if (why !== null) return notify({ id: 'picking', text: why })
      const next = new Map(picked)
      if (!next.delete(row.request_id)) next.set(row.request_id, row)
      setChosen(next)
      setOn(true)
    }
    return { isOn, picked, toggle, end }
  }, [isOn, picked])
  useCommands(
    useMemo(() => {
      const row = rows.find(({ request_id }) => request_id === openId)
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
      return picking.isOn ? [pick, leave] : [pick]
    }, [rows, openId, picking]),
  )
  return picking
}
