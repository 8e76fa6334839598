// The screen of approvals: the queue, the open request, its details.

import { useParams } from '@tanstack/react-router'
import css from '../ui/panes.module.css'
import { LazyRequest } from './lazy-request.tsx'
import { Queue } from './queue.tsx'

export function ApprovalsScreen() {
  const { id } = useParams({ strict: false })
  return (
    <div className={css.screen} data-narrow data-screen data-open={id !== undefined}>
      <h1 id="approvals-title" className={css.spoken}>
        Approvals
      </h1>
      <Queue openId={id} />
      {id === undefined ? (
        <section className={css.nothing} aria-label="Request">
          <p>Select a request. J and K move through the list.</p>
        </section>
      ) : (
        <LazyRequest key={id} id={id} />
      )}
    </div>
  )
}
