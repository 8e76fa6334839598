import { useIsOn } from './commands.ts'
import css from './panes.module.css'

/** Shown while no item is open. */
export function Unselected({ label, hint }: { label: string; hint: string }) {
  const movers = useIsOn('j') ? 'J and K' : 'The arrow keys'
  return (
    <section className={css.nothing} aria-label={label}>
      <p>{`${hint} ${movers} move through the list.`}</p>
    </section>
  )
}
