// The rows that need the person stand above everything else, the soonest expiry first.

import { rowCss } from '../../ui/row.tsx'
import { useMinute } from '../../ui/time.tsx'
import type { ListedRow } from './desk-ask.ts'
import css from './list.module.css'
import { Row } from './list-row.tsx'

type Props = {
  rows: readonly ListedRow[]
  shown: number
  onShowAll: () => void
  selected: string | undefined
  stop: string | undefined
  chosen: ReadonlySet<string> | undefined
  tail: string
}

export function NeedsYou({ rows, shown, onShowAll, selected, stop, chosen, tail }: Props) {
  const now = useMinute()
  if (rows.length === 0) return null
  return (
    <section className={css.needs} aria-labelledby="needs-title">
      <h2 id="needs-title" className={css.group}>
        Needs you <span className={css.quiet}>{rows.length}</span>
      </h2>
      {/* biome-ignore lint/a11y/noRedundantRoles: a list without bullets is no list to some readers */}
      <ul role="list">
        {rows.slice(0, shown).map((row, at) => (
          <li
            key={row.thread_id}
            className={rowCss.item}
            aria-setsize={rows.length}
            aria-posinset={at + 1}
          >
            <Row
              row={row}
              href={`/inbox/${row.thread_id}${tail}`}
              now={now}
              isOpen={selected === row.thread_id}
              isStop={stop === row.thread_id}
              isChosen={chosen?.has(row.thread_id)}
              isPinned
            />
          </li>
        ))}
      </ul>
      {rows.length > shown ? (
        <button type="button" className={css.others} onClick={onShowAll}>
          {`Show all ${rows.length}`}
        </button>
      ) : null}
    </section>
  )
}
