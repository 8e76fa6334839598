// While rows are chosen, this bar stands in the place of the list's head.

import { X } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import type { ListedRow } from './desk-ask.ts'
import { type Hands, MOST_CHOSEN } from './list-hands.ts'
import css from './list-header.module.css'

type Props = {
  hands: Hands
  rows: readonly ListedRow[]
  /** How many there are under these filters, and how many of them are loaded. */
  total: number
  loaded: number
  onSnooze: (beside: Element) => void
}

export function ChosenBar({ hands, rows, total, loaded, onSnooze }: Props) {
  const count = rows.length
  const number = count.toLocaleString()
  const unread = rows.filter((row) => row.unread > 0).length
  const pushes = rows.filter(({ what }) => what === 'push').length
  return (
    <header className={css.chosen}>
      <span className={css.number} role="status">{`${number} selected`}</span>
      {count === 0 ? null : (
        <>
          <Button look="quiet" onClick={() => hands.toggleRead()}>
            {unread > 0 ? `Read ${unread.toLocaleString()}` : `Unread ${number}`}
          </Button>
          <Button look="quiet" onClick={({ currentTarget }) => onSnooze(currentTarget)}>
            {`Snooze ${number}`}
          </Button>
          <Button look="quiet" onClick={() => hands.away()}>
            {awayWords(pushes, count - pushes)}
          </Button>
        </>
      )}
      <Button look="quiet" icon={X} label="Select nothing" onClick={hands.endChoosing} />
      {count > 0 && count >= loaded && count < total ? (
        <button type="button" className={css.all} onClick={() => void hands.chooseAll()}>
          {total <= MOST_CHOSEN
            ? `Select all ${total.toLocaleString()} matching`
            : `Select the newest ${MOST_CHOSEN.toLocaleString()} of ${total.toLocaleString()}`}
        </button>
      ) : null}
    </header>
  )
}

function awayWords(pushes: number, others: number): string {
  if (others === 0) return `Trash ${pushes.toLocaleString()}`
  if (pushes === 0) return `Put away ${others.toLocaleString()}`
  return `Trash ${pushes.toLocaleString()}, put away ${others.toLocaleString()}`
}
