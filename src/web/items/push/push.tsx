// A push: the documents as they are now, what the agent said below them, the conversation, and the reply.

import { useQuery } from '@tanstack/react-query'
import { Folder, Unplug } from 'lucide-react'
import type { ReactNode } from 'react'
import type { OperationAnswer } from '../../../ops/catalogue.ts'
import { asking } from '../../api/queries.ts'
import { submit } from '../../live/outbox.ts'
import { NotFound } from '../../shell/not-found.tsx'
import { amountOf } from '../../ui/amounts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { useCommands } from '../../ui/commands.ts'
import { Detail, DetailBody } from '../../ui/detail.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Conversation, type Word } from '../thread/conversation.tsx'
import { ItemTools } from '../thread/item-tools.tsx'
import { ReplyBar, type SentReply } from '../thread/reply-bar.tsx'
import { OpenSession } from './open-session.tsx'
import css from './push.module.css'
import { type ListAddress, useHandling } from './push-handling.ts'
import { PushedDocuments } from './pushed-documents.tsx'

type ShownPush = OperationAnswer<'push show'>

type OpenProps = {
  id: string
  /** A push in the trash is read-only. */
  isTrashed?: boolean
  backTo?: ListAddress
  tools?: ReactNode
}

export function OpenPush({ id, isTrashed = false, backTo = '/inbox', tools }: OpenProps) {
  const { data, error } = useQuery(asking('push show', { entry: id }))
  if (data === undefined) {
    const gone = 'This message doesn’t exist. It may have been deleted.'
    return <NotFound label="Message" error={error} gone={gone} backTo={backTo} />
  }
  return <Push push={data} isTrashed={isTrashed} backTo={backTo} trashTools={tools} />
}

type PushProps = {
  push: ShownPush
  isTrashed: boolean
  backTo: ListAddress
  trashTools: ReactNode
}

function Push({ push, isTrashed, backTo, trashTools }: PushProps) {
  const { entry, documents } = push
  const { entry_id: id } = entry
  const actions = useHandling(entry, isTrashed, backTo)
  // The inbox's list has these keys itself, because it knows the next row.
  const isListed = backTo === '/inbox' && !isTrashed
  const group = 'Inbox'
  const commands = [
    { title: 'Mark as read or unread', keys: 'u', group, run: actions.toggleRead },
    { title: 'Move to trash', keys: 'Delete', group, run: actions.trash },
    { title: 'Move to trash', keys: 'Backspace', group, run: actions.trash },
    { title: 'Move to trash', keys: '#', group, run: actions.trash },
  ]
  useCommands(isTrashed || isListed ? [] : commands)
  const isGone = entry.workspace === 'gone'
  return (
    <Detail
      titleId="item-title"
      backTo={backTo}
      meta={
        entry.workspace_label === '' ? null : (
          <span className={css.workspace} data-gone={isGone}>
            <Folder size={16} aria-hidden />
            {entry.workspace_label}
          </span>
        )
      }
      tools={
        isTrashed ? (
          trashTools
        ) : (
          <ItemTools isUnread={entry.unread} isPush actions={isListed ? undefined : actions} />
        )
      }
      foot={
        isGone ? (
          <p className={css.unreachable}>
            <Unplug size={16} aria-hidden />
            You can’t reply, because the agent’s workspace no longer exists.
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
        )
      }
    >
      <DetailBody titleId="item-title" title={entry.subject} by={<Sender push={push} />}>
        {documents.length === 0 ? null : (
          <PushedDocuments entry={id} documents={documents} agent={entry.agent} />
        )}
        <Conversation thread={id} words={messagesOf(push)} title="Conversation" />
      </DetailBody>
    </Detail>
  )
}

function Sender({ push: { entry, documents } }: { push: ShownPush }) {
  const { length: count } = documents
  return (
    <>
      <Avatar name={entry.agent} size="line" />
      <b>{entry.agent}</b>
      <span className="quiet">
        {entry.origin.backend === undefined ? '' : `${entry.origin.backend} · `}
        <Moment at={entry.created_at} />
        {count === 0 ? '' : ` · ${amountOf(count, 'document')}`}
      </span>
    </>
  )
}

async function reply(entry: ShownPush['entry'], text: string, key: string): Promise<SentReply> {
  const { entry_id: id, agent } = entry
  const input = { entry: id, comments: text }
  const title = `Your reply to ${agent}`
  const reach = await submit({ op: 'push reply', input, about: id, title, words: text, key })
  if (reach === null) return 'waiting'
  return { message: reach.message_id, why: reach.reachable ? null : reach.why }
}

/** What the agent wrote comes first, unless all of it is in the title. */
function messagesOf({ entry, replies }: ShownPush): Word[] {
  const { subject, comments, entry_id, agent, created_at, form } = entry
  // The title is the beginning of what the agent wrote, so it isn't shown twice.
  const body = comments.startsWith(subject) ? comments.slice(subject.length).trim() : comments
  const isPlain = form === 'notification'
  const first = { id: entry_id, from: agent, subject, body, created_at, isPlain }
  return body === '' ? replies : [first, ...replies]
}
