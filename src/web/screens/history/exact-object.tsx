import { Link } from '@tanstack/react-router'
import { Copy, SquareArrowOutUpRight } from 'lucide-react'
import { Code } from '../../items/documents/document.tsx'
import { Skeleton } from '../../shell/skeleton.tsx'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { copyWithToast } from '../../ui/copy-button.tsx'
import { Detail } from '../../ui/detail.tsx'
import css from './exact-object.module.css'
import { useMessage } from './pages.ts'

export function ExactObject({ id }: { id: string }) {
  const { data, error, refetch } = useMessage(id)
  const message = data?.messages[0]
  const text = message === undefined ? '' : JSON.stringify(message, null, 2)
  const copy = () => void copyWithToast(text)
  const command = { title: 'Copy as JSON', keys: 'c', group: 'History', icon: Copy, run: copy }
  useCommands(text === '' ? [] : [command])
  return (
    <Detail
      className={css.object}
      titleId="object-title"
      backTo="/history"
      closeLabel="Close"
      meta={
        <>
          <h2 id="object-title" className="nowrap text-pane" tabIndex={-1}>
            Message as JSON
          </h2>
          <code className="truncate min-0 quiet text-code">{id}</code>
        </>
      }
      tools={
        message === undefined ? undefined : (
          <>
            <Button look="quiet" icon={Copy} label="Copy" onClick={copy} />
            <OpenThread id={message.thread_id} />
          </>
        )
      }
    >
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
    </Detail>
  )
}

/** The prefix of an id identifies the kind of item. */
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
