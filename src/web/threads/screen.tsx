// Work: what is blocked on an answer first, then what is under way, what nobody has taken, and what is over.

import { useParams } from '@tanstack/react-router'
import css from '../ui/panes.module.css'
import { ThreadList } from './list.tsx'
import { OpenWork } from './work.tsx'

export function ThreadsScreen() {
  const { id } = useParams({ strict: false })
  return (
    <div className={css.screen} data-screen data-open={id !== undefined}>
      <h1 id="threads-title" className={css.spoken}>
        Threads
      </h1>
      <ThreadList openId={id} />
      {id === undefined ? (
        <section className={css.nothing} aria-label="Thread">
          <p>Select a thread. J and K move through the list.</p>
        </section>
      ) : (
        <OpenWork key={id} id={id} />
      )}
    </div>
  )
}
