// The inbox: what waits on the person, then everything that was delivered to them, newest first.

import { useParams } from '@tanstack/react-router'
import { LazyRequest } from '../approvals/lazy-request.tsx'
import css from '../ui/panes.module.css'
import { List } from './list.tsx'
import { OpenPush } from './push.tsx'
import { OpenThread } from './thread.tsx'

export function InboxScreen() {
  const { id } = useParams({ strict: false })
  return (
    <div className={css.screen} data-open={id !== undefined}>
      <h1 id="inbox-title" className={css.spoken}>
        Inbox
      </h1>
      <List openId={id} />
      {id === undefined ? (
        <section className={css.nothing} aria-label="Message">
          <p>Select a message. J and K move through the list.</p>
        </section>
      ) : (
        <Item key={id} id={id} />
      )}
    </div>
  )
}

/** An id says by its beginning what it is of. */
function Item({ id }: { id: string }) {
  if (id.startsWith('req_')) return <LazyRequest id={id} />
  return id.startsWith('thr_') ? <OpenThread id={id} /> : <OpenPush id={id} />
}
