// The page of one item, opened beside its list: a header as tall as the list's, a body that scrolls, and the person's
// next step at the foot.

import { Link } from '@tanstack/react-router'
import { ArrowLeft, X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useCommands } from './commands.ts'
import css from './detail.module.css'
import { useOpenTitle } from './tab-title.ts'

type DetailProps = {
  /** The id of the heading that labels the section. */
  titleId: string
  /** Where the back link on phones leads: what the item was opened from, usually a list. */
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
  /** Computes the list's search parameters. By default, the list keeps its filters. */
  backSearch?: (before: object) => object
  backLabel?: string
  /** The label of the close button on wider screens. Without a label, there's no button. */
  closeLabel?: string
  /** Shown at the start of the header. */
  meta?: ReactNode
  /** Buttons at the end of the header. */
  tools?: ReactNode
  /** The body: a `DetailBody`, or another element that handles its own scrolling. */
  children: ReactNode
  foot?: ReactNode
  className?: string | undefined
  /** Whether the details pane beside the item is shown. */
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
  /** The name of the Enter command, which focuses the title. If set, the browser tab shows the title too. */
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

/** The page's class names, for the content of its slots. */
export const detailCss = css
