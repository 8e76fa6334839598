import type { ReactNode } from 'react'
import { useIsOn } from './commands.ts'
import css from './panes.module.css'

type Props = {
  title: string
  /** The id of the heading that labels the list. */
  titleId: string
  /** The list's width. A full-width list leaves room for an item only while one is open. */
  width?: 'narrow' | 'slim' | 'full'
  list: ReactNode
  opened: ReactNode
  /** Shown in the empty pane while no item is open. `label` is the accessible name of that pane. */
  hint?: string
  label?: string
}

export function ListScreen(props: Props) {
  const { title, titleId, width, list, opened, hint, label = 'Message' } = props
  return (
    <div className={css.screen} data-width={width} data-screen data-open={opened !== null}>
      <h1 id={titleId} className="spoken">
        {title}
      </h1>
      {list}
      {opened ?? (hint === undefined ? null : <Unselected label={label} hint={hint} />)}
    </div>
  )
}

/** Shown while no item is open. */
function Unselected({ label, hint }: { label: string; hint: string }) {
  const movers = useIsOn('j') ? 'J and K' : 'The arrow keys'
  return (
    <section className={css.nothing} aria-label={label}>
      <p>{`${hint} ${movers} move through the list.`}</p>
    </section>
  )
}
