// A push: the documents as they are now, what the agent said below them, the conversation, and the reply.

import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, Folder, Mail, Trash2 } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useMemo } from 'react'
import type { OperationAnswer } from '../../ops/typed-call.ts'
import { CallRefusal, call } from '../api/call.ts'
import { asking, queries } from '../api/queries.ts'
import { Markdown } from '../documents/document.tsx'
import { press, useCommands } from '../shell/commands.ts'
import { dismiss, notify } from '../shell/notices.tsx'
import { Button } from '../ui/button.tsx'
import { Mark } from '../ui/mark.tsx'
import { Called } from '../ui/names.tsx'
import { Moment } from '../ui/time.tsx'
import css from './item.module.css'
import { PushedDocument } from './pushed-document.tsx'
import { ReplyBar } from './reply-bar.tsx'

type Push = OperationAnswer<'push show'>

/** Whoever looks this long has read it; a key that is held down reads nothing. */
const DWELL_MS = 600

type ListAddress = '/inbox' | '/notifications' | '/trash'
/** The buttons of a push that was put away come with it. */
type OpenProps = { id: string; isTrashed?: boolean; backTo?: ListAddress; tools?: ReactNode }

/** A push that was put away has its own buttons, and is only looked at. */
export function OpenPush({ id, isTrashed = false, backTo = '/inbox', tools }: OpenProps) {
  const { data, error, refetch } = useQuery(asking('push show', { entry: id }))
  if (error !== null && data === undefined) {
    const isGone = error instanceof CallRefusal && error.status === 404
    return (
      <section className={css.missing} aria-label="Message">
        <p>
          {isGone
            ? 'This message is not there. It may have been deleted.'
            : `Couldn't load it: ${error.message}.`}
        </p>
        {isGone ? null : <Button onClick={() => void refetch()}>Try again</Button>}
      </section>
    )
  }
  if (data === undefined) return <section className={css.item} aria-label="Message" aria-busy />
  return <Whole push={data} isTrashed={isTrashed} backTo={backTo} tools={tools} />
}

const LISTED = { toggleRead: () => press('u'), trash: () => press('Backspace') }

type WholeProps = { push: Push; isTrashed: boolean; backTo: ListAddress; tools: ReactNode }

function Whole({ push, isTrashed, backTo, tools }: WholeProps) {
  const { entry, documents, replies } = push
  const { entry_id: id } = entry
  const own = useHandling(push, backTo)
  // The inbox's list has the keys itself: it knows what comes next.
  const isListed = backTo === '/inbox' && !isTrashed
  const actions = isListed ? LISTED : own
  useCommands(
    useMemo(
      () =>
        isTrashed || isListed
          ? []
          : [
              { title: 'Read or unread', keys: 'u', group: 'Inbox', run: actions.toggleRead },
              { title: 'Move to trash', keys: 'Delete', group: 'Inbox', run: actions.trash },
              { title: 'Move to trash', keys: 'Backspace', group: 'Inbox', run: actions.trash },
              { title: 'Move to trash', keys: '#', group: 'Inbox', run: actions.trash },
            ],
      [actions, isTrashed, isListed],
    ),
  )
  const isGone = entry.workspace === 'gone'
  // The title is the beginning of what the agent said, so it is not shown twice.
  const said = entry.comments.startsWith(entry.subject)
    ? entry.comments.slice(entry.subject.length).trim()
    : entry.comments
  return (
    <section className={css.item} aria-labelledby="item-title">
      <header className={css.header}>
        <Link
          className={css.back}
          to={backTo}
          search={(before: object) => before}
          aria-label="Back to the list"
        >
          <ArrowLeft size={16} aria-hidden />
        </Link>
        {entry.workspace_label === '' ? null : (
          <span className={css.workspace} data-gone={isGone}>
            <Folder size={16} aria-hidden />
            {entry.workspace_label}
          </span>
        )}
        {isTrashed ? (
          <span className={css.tools}>{tools}</span>
        ) : (
          <span className={css.tools}>
            <Button
              look="quiet"
              icon={Mail}
              label={entry.unread ? 'Mark as read' : 'Mark as unread'}
              hint="u"
              onClick={actions.toggleRead}
            />
            <Button
              look="quiet"
              icon={Trash2}
              label="Move to trash"
              hint="Backspace"
              onClick={actions.trash}
            />
          </span>
        )}
      </header>
      <div className={css.scroll}>
        <article className={css.column}>
          <h2 id="item-title" className={css.title} tabIndex={-1} dir="auto">
            {entry.subject}
          </h2>
          <p className={css.by}>
            <Mark name={entry.agent} size="line" />
            <b>{entry.agent}</b>
            <span className={css.quiet}>
              {entry.origin.backend === undefined ? '' : `${entry.origin.backend} · `}
              <Moment at={entry.created_at} />
              {documents.length === 0
                ? ''
                : ` · ${documents.length === 1 ? '1 document' : `${documents.length} documents`}`}
            </span>
          </p>
          {documents.map((document, at) => (
            <PushedDocument
              key={document.path}
              entry={id}
              first={document}
              isOpen={at === 0}
              agent={entry.agent}
            />
          ))}
          {said === '' ? null : (
            <div className={css.said}>
              {entry.form === 'notification' ? (
                <p className={css.asSent}>{said}</p>
              ) : (
                <Markdown text={said} />
              )}
            </div>
          )}
          <Conversation replies={replies} />
        </article>
      </div>
      {isGone ? (
        <p className={css.nobody}>
          This workspace no longer exists, so there is nobody to reply to.
        </p>
      ) : (
        <ReplyBar
          draftOf={id}
          to={entry.agent}
          send={async (text, key) => {
            const reach = await call('push reply', { entry: id, comments: text }, { key })
            return { why: reach.reachable ? null : reach.why }
          }}
        />
      )}
    </section>
  )
}

export function Conversation({
  replies,
}: {
  replies: readonly {
    id: string
    from: string
    subject: string
    body: string
    created_at: string
  }[]
}) {
  if (replies.length === 0) return null
  return (
    <ol className={css.conversation} aria-label="Replies">
      {replies.map(({ id, from, subject, body, created_at }) => (
        <li key={id} className={css.word}>
          <p className={css.by}>
            <Mark name={from.replace(/^agent:/, '')} size="line" />
            <b>
              <Called name={from} />
            </b>
            <span className={css.quiet}>
              <Moment at={created_at} />
            </span>
          </p>
          <Markdown text={body === '' ? subject : body} />
        </li>
      ))}
    </ol>
  )
}

/** Reading and putting away. Both can be taken back, so neither asks. */
function useHandling({ entry }: Push, backTo: ListAddress) {
  const { entry_id: id, unread } = entry
  const navigate = useNavigate()
  const refetch = useCallback(() => {
    void queries.invalidateQueries({ queryKey: ['desk list'] })
    void queries.invalidateQueries({ queryKey: ['push show', { entry: id }] })
  }, [id])
  const { mutate: mark } = useMutation({
    mutationFn: (want: 'push read' | 'push unread') => call(want, { entries: [id] }),
    onSettled: refetch,
  })
  const { mutate: trash } = useMutation({
    mutationFn: () => call('push trash', { entries: [id] }),
    onSuccess() {
      const restore = () => {
        dismiss(id)
        void call('push restore', { entries: [id] }).finally(refetch)
      }
      const undo = { run: restore, until: Date.now() + 10_000 }
      notify({ id, text: 'Moved to trash', more: entry.subject, undo })
      void navigate({ to: backTo, search: (before: object) => before })
    },
    onError: (error) =>
      notify({ id, text: `Couldn't move it to trash: ${error.message}`, isFailure: true }),
    onSettled: refetch,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only opening it counts
  useEffect(() => {
    if (!unread) return
    const timer = setTimeout(() => mark('push read'), DWELL_MS)
    return () => clearTimeout(timer)
    // Who marks it as unread again wants it so.
  }, [id])
  return useMemo(
    () => ({ toggleRead: () => mark(unread ? 'push read' : 'push unread'), trash: () => trash() }),
    [mark, trash, unread],
  )
}
