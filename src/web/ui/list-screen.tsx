// A screen of a list and, beside it, what is opened from it.

import type { ReactNode } from 'react'
import css from './panes.module.css'
import { Unselected } from './unselected.tsx'

type Props = {
  title: string
  /** The id of the heading, by which the list is named. */
  titleId?: string
  /** How wide the list is, where it is not as wide as the inbox. */
  width?: 'narrow' | 'slim'
  list: ReactNode
  /** The open thing, if there is one. */
  opened: ReactNode
  /** The words that stand in its place, and the name of that place. */
  hint: string
  label?: string
}

export function ListScreen(props: Props) {
  const { title, titleId = 'list-title', width, list, opened, hint, label = 'Message' } = props
  return (
    <div className={css.screen} data-width={width} data-screen data-open={opened !== null}>
      <h1 id={titleId} className={css.spoken}>
        {title}
      </h1>
      {list}
      {opened ?? <Unselected label={label} hint={hint} />}
    </div>
  )
}
