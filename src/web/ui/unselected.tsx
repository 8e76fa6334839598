import { useIsOn } from './commands.ts'
import css from './panes.module.css'

/** Stands where something is opened, as long as nothing is. */
export function Unselected({ label, hint }: { label: string; hint: string }) {
  const movers = useIsOn('j') ? 'J and K' : 'The arrows'
  return (
    <section className={css.nothing} aria-label={label}>
      <p>{`${hint} ${movers} move through the list.`}</p>
    </section>
  )
}
