// One message as the exact object that programs get.

import { Link } from '@tanstack/react-router'
import { ArrowLeft, Copy, SquareArrowOutUpRight, X } from 'lucide-react'
import { Code } from '../documents/document.tsx'
import { notify } from '../shell/notices.tsx'
import { Button } from '../ui/button.tsx'
import detailCss from '../ui/detail.module.css'
import css from './exact-object.module.css'
import type { PastMail } from './screen.tsx'

type Props = { message: PastMail | undefined; isLoaded: boolean }

export function ExactObject({ message, isLoaded }: Props) {
  const text = message === undefined ? '' : JSON.stringify(message, null, 2)
  const copy = () =>
    navigator.clipboard?.writeText(text).then(
      () => notify({ id: 'copied', text: 'Copied' }),
      () => notify({ id: 'copied', text: 'The browser did not let it be copied', isFailure: true }),
    )
  return (
    <section className={css.object} aria-labelledby="object-title">
      <header className={css.header}>
        <Link
          className={detailCss.back}
          to="/history"
          search={(before: object) => before}
          aria-label="Back to the list"
        >
          <ArrowLeft size={16} aria-hidden />
        </Link>
        <h2 id="object-title" className={css.title} tabIndex={-1}>
          Exact object
        </h2>
        {message === undefined ? null : (
          <span className={detailCss.tools}>
            <Button look="quiet" icon={Copy} label="Copy" onClick={() => void copy()} />
            <OpenThread id={message.thread_id} />
          </span>
        )}
        <Link
          className={css.close}
          to="/history"
          search={(before: object) => before}
          aria-label="Close"
        >
          <X size={16} aria-hidden />
        </Link>
      </header>
      {message === undefined ? (
        <p className={css.missing}>
          {isLoaded ? 'This message is not among those in the list. Show older, or reset.' : ''}
        </p>
      ) : (
        <div className={css.scroll}>
          <Code text={text} language="json" />
        </div>
      )}
    </section>
  )
}

/** An id says by its beginning what it is of. */
function OpenThread({ id }: { id: string }) {
  const to = id.startsWith('req_') ? '/approvals/$id' : '/threads/$id'
  return (
    <Link
      className={css.open}
      to={id.startsWith('thr_') || id.startsWith('req_') ? to : '/inbox/$id'}
      params={{ id }}
      search={{}}
      aria-label="Open its thread"
    >
      <SquareArrowOutUpRight size={16} aria-hidden />
    </Link>
  )
}
