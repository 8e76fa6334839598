// A row that is a link to its item.

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { rowCss as css, type RowContent, RowLines } from './row.tsx'

type LinkedProps = Omit<RowContent, 'sign' | 'children'> & {
  to: '/inbox/$id' | '/notifications/$id' | '/threads/$id' | '/trash/$id'
  id: string
  isOpen?: boolean
  /** The list keeps its filters unless this says otherwise. */
  search?: (before: object) => object
  sign?: RowContent['sign'] | 'active'
  isStrong?: boolean
  /** The second line: who, and what they did or said. */
  who: string
  about: ReactNode
  /** At the end of the second line. */
  status?: ReactNode
  /** Read out before the second line. */
  spoken?: string
}

export function LinkedRow(props: LinkedProps) {
  const { to, id, isOpen = false, search = (before) => before, sign = 'none', isStrong } = props
  const { name, title, time, who, about, status, spoken } = props
  return (
    <li className={css.item}>
      <Link
        className={css.row}
        to={to}
        params={{ id }}
        search={search as never}
        aria-current={isOpen ? 'true' : undefined}
        data-row={id}
        data-sign={sign}
        data-strong={isStrong ?? false}
      >
        <RowLines name={name} title={title} sign={sign === 'active' ? 'none' : sign} time={time}>
          <span className="truncate grow" dir="auto">
            {spoken === undefined ? null : <span className="spoken">{spoken}</span>}
            <b className="ink medium">{who}</b> {about}
          </span>
          {status}
        </RowLines>
      </Link>
    </li>
  )
}
