// A push: the documents as they are now, what the agent said below them, the conversation, and the reply.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, Folder, Mail, Trash2, Unplug } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import type { OperationAnswer } from '../../../ops/typed-call.ts'
import { asking } from '../../api/queries.ts'
import { submit } from '../../live/outbox.ts'
import { NotFound } from '../../shell/not-found.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { Moment } from '../../ui/moment.tsx'
import { Conversation, type Word } from '../thread/conversation.tsx'
import css from '../thread/item.module.css'
import { ListedTools } from '../thread/listed-tools.tsx'
import { ReplyBar, type SentReply } from '../thread/reply-bar.tsx'
import { OpenSession } from './open-session.tsx'
import { type ListAddress, useHandling } from './push-handling.ts'
import { PushedDocuments } from './pushed-documents.tsx'

type WholePush = OperationAnswer<'push show'>

/** The buttons of a push that was put away come with it. */
type OpenProps = { id: string; isTrashed?: boolean; backTo?: ListAddress; tools?: ReactNode }

/** A push that was put away has its own buttons, and is only looked at. */
export function OpenPush({ id, isTrashed = false, backTo = '/inbox', tools }: OpenProps) {
  const { data, error } = useQuery(asking('push show', { entry: id }))
  if (data === undefined) {
    const gone = 'This message is not there. It may have been deleted.'
    return <NotFound label="Message" {...{ error, gone, backTo }} />
  }
  return <Whole push={data} isTrashed={isTrashed} backTo={backTo} tools={tools} />
}

type WholeProps = { push: WholePush; isTrashed: boolean; backTo: ListAddress; tools: ReactNode }

function Whole({ push, isTrashed, backTo, tools }: WholeProps) {
  const { entry, documents } = push
  const { entry_id: id } = entry
  const actions = useHandling(entry, isTrashed, backTo)
  // The inbox's list has the keys itself: it knows what comes next.
  const isListed = backTo === '/inbox' && !isTrashed
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
  const words = wordsOf(push)
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
        ) : isListed ? (
          <span className={css.tools}>
            <ListedTools isUnread={entry.unread} isPush />
          </span>
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
            <Avatar name={entry.agent} size="line" />
            <b>{entry.agent}</b>
            <span className={css.quiet}>
              {entry.origin.backend === undefined ? '' : `${entry.origin.backend} · `}
              <Moment at={entry.created_at} />
              {documents.length === 0
                ? ''
                : ` · ${documents.length === 1 ? '1 document' : `${documents.length} documents`}`}
            </span>
          </p>
          {documents.length === 0 ? null : (
            <PushedDocuments entry={id} documents={documents} agent={entry.agent} />
          )}
          <Conversation thread={id} words={words} title="Conversation" />
        </article>
      </div>
      {isGone ? (
        <p className={css.nobody}>
          <Unplug size={16} aria-hidden />
          This workspace no longer exists, so there is nobody to reply to.
        </p>
      ) : (
        <ReplyBar
          draftOf={id}
          to={entry.agent}
          thread={id}
          send={(text, key) => reply(entry, text, key)}
          beside={
            entry.origin.session === undefined ? null : (
              <OpenSession entry={id} agent={entry.agent} />
            )
          }
        />
      )}
    </section>
  )
}

async function reply(entry: WholePush['entry'], text: string, key: string): Promise<SentReply> {
  const { entry_id: id, agent } = entry
  const input = { entry: id, comments: text }
  const title = `Your reply to ${agent}`
  const reach = await submit({ op: 'push reply', input, about: id, title, words: text, key })
  if (reach === null) return 'waiting'
  return { message: reach.message_id, why: reach.reachable ? null : reach.why }
}

/** The words of the agent come first, unless it is the title and nothing more. */
function wordsOf({ entry, replies }: WholePush): Word[] {
  const { subject, comments, entry_id, agent, created_at, form } = entry
  // The title is the beginning of what the agent said, so it is not shown twice.
  const said = comments.startsWith(subject) ? comments.slice(subject.length).trim() : comments
  const isPlain = form === 'notification'
  const first = { id: entry_id, from: agent, subject, body: said, created_at, isPlain }
  return said === '' ? replies : [first, ...replies]
}
