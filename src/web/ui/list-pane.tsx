// One list: its header and its rows.

import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import css from './list.module.css'
import { More } from './more.tsx'
import paneCss from './panes.module.css'
import { RowLines, rowCss } from './row.tsx'
import { timeIn, useMinute } from './time.tsx'

type Pages = Pick<UseInfiniteQueryResult, 'error' | 'isSuccess' | 'refetch'> &
  Parameters<typeof More>[0]['pages']

type PaneProps = {
  title: string
  /** The number beside the title. */
  count?: string
  tools?: ReactNode
  /** A line above the rows. */
  note?: ReactNode
  pages: Pages
  isEmpty: boolean
  empty: string
  children: ReactNode
}

export function ListPane({
  title,
  count,
  tools,
  note,
  pages,
  isEmpty,
  empty,
  children,
}: PaneProps) {
  const what = title.toLowerCase()
  return (
    <section className={css.list} aria-labelledby="list-title">
      <header className={css.header}>
        <span className={css.title} aria-hidden>
          {title}
        </span>
        <span className={css.quiet}>{count ?? ''}</span>
        <span className={css.tools}>{tools}</span>
      </header>
      <div className={css.scroll}>
        {pages.error !== null && isEmpty ? (
          <div className={css.empty} role="alert">
            <p>{`Couldn't load the ${what}: ${pages.error.message}.`}</p>
            <Button onClick={() => void pages.refetch()}>Try again</Button>
          </div>
        ) : null}
        {pages.isSuccess && isEmpty ? <p className={css.empty}>{empty}</p> : null}
        {isEmpty ? null : note}
        <ul>{children}</ul>
        <More pages={pages}>Show older</More>
      </div>
    </section>
  )
}

type PushRowProps = {
  to: '/notifications/$id' | '/trash/$id'
  id: string
  isOpen: boolean
  from: string
  title: string
  at: string | null
  isUnread?: boolean
  children: ReactNode
}

/** A push or a notification as a row that is a link. */
export function PushRow({ to, id, isOpen, from, title, at, isUnread, children }: PushRowProps) {
  const now = useMinute()
  const sign = isUnread ? 'unread' : 'none'
  return (
    <li className={rowCss.item}>
      <Link
        className={rowCss.row}
        to={to}
        params={{ id }}
        aria-current={isOpen ? 'true' : undefined}
        data-row={id}
        data-sign={sign}
        data-strong={isUnread ?? false}
      >
        <RowLines
          name={from}
          title={title}
          sign={sign}
          time={at === null ? '' : <time dateTime={at}>{timeIn(new Date(at), now)}</time>}
        >
          <span className={rowCss.about} dir="auto">
            {isUnread ? <span className={paneCss.spoken}>Unread. </span> : null}
            <b className={rowCss.who}>{from}</b> {children}
          </span>
        </RowLines>
      </Link>
    </li>
  )
}
