import { X } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { type ListControl, MOST_CHOSEN } from './control.ts'
import css from './header.module.css'
import type { ListedRow } from './page.ts'

type Props = {
  control: ListControl
  /** The chosen rows, or the open one if none is chosen. */
  rows: readonly ListedRow[]
  count: number
  loaded: number
  /** The filters match more rows than are loaded. */
  hasMore: boolean
  onSnooze: (beside: Element) => void
}

export function ChosenBar({ control, rows, count, loaded, hasMore, onSnooze }: Props) {
  const number = count.toLocaleString()
  const unread = rows.filter((row) => row.unread > 0).length
  const pushes = rows.filter(({ what }) => what === 'push').length
  return (
    <header className={css.chosen}>
      <span className={css.number} role="status">{`${number} selected`}</span>
      {count === 0 ? null : (
        <>
          <Button look="quiet" onClick={() => control.toggleRead()}>
            {unread > 0 ? `Mark ${unread.toLocaleString()} read` : `Mark ${number} unread`}
          </Button>
          <Button look="quiet" onClick={({ currentTarget }) => onSnooze(currentTarget)}>
            {`Snooze ${number}`}
          </Button>
          <Button look="quiet" onClick={() => control.putAway()}>
            {putAwayLabel(pushes, count - pushes)}
          </Button>
        </>
      )}
      <Button look="quiet" icon={X} label="Clear selection" onClick={control.endChoosing} />
      {hasMore && count > 0 && count >= loaded && count < MOST_CHOSEN ? (
        <button type="button" className={css.all} onClick={() => void control.chooseAll()}>
          {`Select all matching, up to ${MOST_CHOSEN.toLocaleString()}`}
        </button>
      ) : null}
    </header>
  )
}

function putAwayLabel(pushes: number, others: number): string {
  if (others === 0) return `Trash ${pushes.toLocaleString()}`
  if (pushes === 0) return `Put away ${others.toLocaleString()}`
  return `Trash ${pushes.toLocaleString()}, put away ${others.toLocaleString()}`
}
