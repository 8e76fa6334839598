import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Avatar } from './avatar.tsx'
import css from './row.module.css'

export type RowContent = {
  /** The sender's name. */
  name: string
  title: string
  /** The sign at the start of the row: a diamond if it needs the person, a dot if it's unread. */
  sign: 'needs' | 'unread' | 'none'
  /** Shown at the end of the title's line. */
  time: ReactNode
  isSoon?: boolean
  badge?: ReactNode
  /** The second line. */
  children: ReactNode
}

/** The two lines of a list row. The list adds the link around them. */
export function RowLines({ name, title, time, isSoon = false, badge, children }: RowContent) {
  return (
    <>
      <span className={css.sign} aria-hidden />
      <Avatar name={name} />
      <span className="stack grow gap-1">
        <span className="row meta gap-3 quiet">
          <span className={css.name} dir="auto">
            {title}
          </span>
          {badge}
          <span className={css.time} data-soon={isSoon}>
            {time}
            {isSoon ? ' left' : ''}
          </span>
        </span>
        <span className="row meta gap-3 quiet">{children}</span>
      </span>
    </>
  )
}

/** The class names of a row, for the link and the item around its lines. */
export const rowCss = css

type LinkedProps = Omit<RowContent, 'sign' | 'children'> & {
  to: '/inbox/$id' | '/notifications/$id' | '/threads/$id' | '/trash/$id'
  id: string
  isOpen?: boolean
  /** Computes the new search parameters. By default, the list keeps its filters. */
  search?: (before: object) => object
  sign?: RowContent['sign'] | 'active'
  isStrong?: boolean
  /** The second line: who, and what they did or said. */
  who: string
  about: ReactNode
  /** Shown at the end of the second line. */
  status?: ReactNode
  /** Read out by screen readers before the second line. */
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
