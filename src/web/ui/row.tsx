import type { ReactNode } from 'react'
import { Avatar } from './avatar.tsx'
import css from './row.module.css'

export type RowContent = {
  /** The name of its sender. */
  name: string
  title: string
  /** The sign before it: a diamond for what needs the person, a dot for what is unread. */
  sign: 'needs' | 'unread' | 'none'
  /** At the end of the title's line. */
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
