// One message as the exact JSON that programs get.

import { Link } from '@tanstack/react-router'
import { ArrowLeft, Copy, SquareArrowOutUpRight, X } from 'lucide-react'
import { useMemo } from 'react'
import { Code } from '../../items/documents/document.tsx'
import { Skeleton } from '../../shell/skeleton.tsx'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { copyWithToast } from '../../ui/copy-button.tsx'
import detailCss from '../../ui/detail.module.css'
import css from './exact-object.module.css'
import { useMessage } from './pages.ts'

export function ExactObject({ id }: { id: string }) {
  const { data, error, refetch } = useMessage(id)
  const message = data?.messages[0]
  const text = message === undefined ? '' : JSON.stringify(message, null, 2)
  useCommands(
    useMemo(
      () =>
        text === ''
          ? []
          : [
              {
                title: 'Copy as JSON',
                keys: 'c',
                group: 'History',
                icon: Copy,
                run: () => void copyWithToast(text),
              },
            ],
      [text],
    ),
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
        <h2 id="object-title" className="nowrap text-pane" tabIndex={-1}>
          Message as JSON
        </h2>
        <code className="truncate min-0 quiet text-code">{id}</code>
        {message === undefined ? null : (
          <span className="row gap-2 push">
            <Button
              look="quiet"
              icon={Copy}
              label="Copy"
              onClick={() => void copyWithToast(text)}
            />
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
        <div className={css.missing}>
          {error === null && data === undefined ? (
            <Skeleton />
          ) : error === null ? (
            <p>This message doesn’t exist. It may have been deleted.</p>
          ) : (
            <>
              <p role="alert">{`Couldn’t load it: ${error.message}.`}</p>
              <Button onClick={() => void refetch()}>Try again</Button>
            </>
          )}
        </div>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard
        <div className={css.scroll} tabIndex={0}>
          <Code text={text} language="json" />
        </div>
      )}
    </section>
  )
}

/** The prefix of an id tells what kind of item it is. */
function OpenThread({ id }: { id: string }) {
  const to = id.startsWith('req_') ? '/approvals/$id' : '/threads/$id'
  return (
    <Link
      className={css.open}
      to={id.startsWith('thr_') || id.startsWith('req_') ? to : '/inbox/$id'}
      params={{ id }}
      search={{}}
      aria-label="Open the thread"
    >
      <SquareArrowOutUpRight size={16} aria-hidden />
    </Link>
  )
}
