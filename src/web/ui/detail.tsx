// The page of one item, opened beside its list: a header as tall as the list's, a body that scrolls, and the person's
// next step at the foot.

import { Link } from '@tanstack/react-router'
import { ArrowLeft, X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useCommands } from './commands.ts'
import css from './detail.module.css'
import { useOpenTitle } from './tab-title.ts'

type DetailProps = {
  /** The id of the heading, which names the section. */
  titleId: string
  /** What it was opened from, usually a list, for the link back that phones show. */
  backTo:
    | '/inbox'
    | '/approvals'
    | '/threads'
    | '/channels'
    | '/channels/$id'
    | '/agents'
    | '/history'
    | '/notifications'
    | '/trash'
  backParams?: { id: string }
  /** The list keeps its filters unless this says otherwise. */
  backSearch?: (before: object) => object
  backLabel?: string
  /** The name of the button that leads back on wider screens, where there is one. */
  closeLabel?: string
  /** The start of the header. */
  meta?: ReactNode
  /** Buttons at the end of the header. */
  tools?: ReactNode
  /** The body: a `DetailBody`, or something that scrolls by itself. */
  children: ReactNode
  foot?: ReactNode
  className?: string | undefined
  /** Whether the details beside it are shown. */
  'data-details'?: boolean
}

export function Detail(props: DetailProps) {
  const { titleId, backTo, backParams, backSearch = keepSearch, backLabel, closeLabel } = props
  const { meta, tools, children, foot, className = '' } = props
  const link = { to: backTo, params: backParams as never, search: backSearch as never }
  return (
    <section
      className={`${css.detail} ${className}`}
      aria-labelledby={titleId}
      data-details={props['data-details']}
    >
      <header className={css.header}>
        <Link {...link} className={css.back} aria-label={backLabel ?? 'Back to the list'}>
          <ArrowLeft size={16} aria-hidden />
        </Link>
        {meta}
        {tools === undefined ? null : <span className="row gap-2 push">{tools}</span>}
        {closeLabel === undefined ? null : (
          <Link {...link} className={css.close} aria-label={closeLabel}>
            <X size={16} aria-hidden />
          </Link>
        )}
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
  const read = { keys: 'Enter', group: 'Lists', run: () => heading.current?.focus() }
  useCommands(readCommand === undefined ? [] : [{ title: readCommand, ...read }])
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

/** One line of a list of facts (`dl`). */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={css.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The class names of the page, for its slots. */
export const detailCss = css
