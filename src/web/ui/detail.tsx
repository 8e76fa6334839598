// The page of one item, opened beside its list: a header as tall as the list's, a body that scrolls, and the person's
// next step at the foot.

import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { type HTMLAttributes, type ReactNode, useMemo, useRef } from 'react'
import { useCommands } from './commands.ts'
import css from './detail.module.css'
import { useOpenTitle } from './tab-title.ts'

type DetailProps = Omit<HTMLAttributes<HTMLElement>, 'title'> & {
  /** The id of the heading, which names the section. */
  titleId: string
  /** The list it was opened from, for the link back that phones show. */
  backTo:
    | '/inbox'
    | '/approvals'
    | '/threads'
    | '/channels'
    | '/agents'
    | '/notifications'
    | '/trash'
  /** The list keeps its filters unless this says otherwise. */
  backSearch?: (before: object) => object
  /** The start of the header. */
  meta?: ReactNode
  /** Buttons at the end of the header. */
  tools?: ReactNode
  /** The body: a `DetailBody`, or something that scrolls by itself. */
  children: ReactNode
  foot?: ReactNode
}

export function Detail(props: DetailProps) {
  const { titleId, backTo, backSearch = keepSearch, meta, tools, children, foot, ...rest } = props
  return (
    <section
      {...rest}
      className={`${css.detail} ${rest.className ?? ''}`}
      aria-labelledby={titleId}
    >
      <header className={css.header}>
        <Link
          className={css.back}
          to={backTo}
          search={backSearch as never}
          aria-label="Back to the list"
        >
          <ArrowLeft size={16} aria-hidden />
        </Link>
        {meta}
        {tools === undefined ? null : <span className="row gap-2 push">{tools}</span>}
      </header>
      {children}
      {foot}
    </section>
  )
}

function keepSearch(before: object): object {
  return before
}

type BodyProps = {
  titleId: string
  title: string
  /** The line below the title: who it is from, and when. */
  by?: ReactNode
  /** Stays visible above the title. */
  pinned?: ReactNode
  width?: 'narrow'
  /** The command for Enter, which moves the focus to the title. The browser's tab then has the title too. */
  readCommand?: string
  children: ReactNode
}

/** A title and what follows it, in one column that scrolls. */
export function DetailBody(props: BodyProps) {
  const { titleId, title, by, pinned, width, readCommand, children } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useCommands(
    useMemo(() => {
      if (readCommand === undefined) return []
      const run = () => heading.current?.focus()
      return [{ title: readCommand, keys: 'Enter', group: 'Lists', run }]
    }, [readCommand]),
  )
  useOpenTitle(readCommand === undefined ? null : title)
  return (
    <div className={css.scroll}>
      {pinned}
      <article className={css.column} data-width={width}>
        <h2 id={titleId} className={css.title} ref={heading} tabIndex={-1} dir="auto">
          {title}
        </h2>
        {by === undefined ? null : <p className={css.by}>{by}</p>}
        {children}
      </article>
    </div>
  )
}

/** The class names of the page, for its slots. */
export const detailCss = css
