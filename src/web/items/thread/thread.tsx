// A mail thread as a conversation, with the reply at the foot. Work has its own view.

import type { OperationAnswer } from '../../../ops/catalogue.ts'
import { submit } from '../../live/outbox.ts'
import { Button } from '../../ui/button.tsx'
import { Detail, DetailBody } from '../../ui/detail.tsx'
import { Conversation } from './conversation.tsx'
import { ItemTools } from './item-tools.tsx'
import { ReplyBar, type SentReply } from './reply-bar.tsx'

type ThreadProps = {
  whole: Pick<OperationAnswer<'show'>, 'thread' | 'messages'>
  readOn: (() => void) | undefined
}

export function MailThread({ whole, readOn }: ThreadProps) {
  const { thread, messages } = whole
  const words = messages
    .filter(({ kind }) => kind !== 'event')
    .map(({ message_id, from_agent, summary, body, created_at }) => ({
      id: message_id,
      from: from_agent,
      subject: summary,
      body,
      created_at,
    }))
  const last = messages.findLast(({ from_agent }) => !isOwn(from_agent))
  const to = last?.from_agent ?? thread.assigned_to
  return (
    <Detail
      titleId="item-title"
      backTo="/inbox"
      meta={<span className="quiet">Mail</span>}
      tools={<ItemTools />}
      foot={
        <ReplyBar
          draftOf={thread.thread_id}
          to={to}
          thread={thread.thread_id}
          send={(text, key) => reply({ thread, to, about: last }, text, key)}
        />
      }
    >
      <DetailBody titleId="item-title" title={thread.subject}>
        <Conversation thread={thread.thread_id} words={words} />
        {readOn === undefined ? null : <Button onClick={readOn}>Load more messages</Button>}
      </DetailBody>
    </Detail>
  )
}

type ReplyTo = {
  thread: ThreadProps['whole']['thread']
  to: string
  about: { message_id: string } | undefined
}

async function reply(
  { thread, to, about }: ReplyTo,
  text: string,
  key: string,
): Promise<SentReply> {
  const id = thread.thread_id
  const words = { about: id, title: `Your reply to ${to}`, words: text, key }
  const answered = about === undefined ? {} : { in_reply_to: about.message_id }
  const input = { to, type: 'answer' as const, body: text, ...answered }
  const sent = await submit({ op: 'mail send', input, ...words })
  if (sent === null) return 'waiting'
  return { message: sent.message?.id ?? '', why: sent.not_woken?.[0]?.why ?? null }
}

function isOwn(name: string): boolean {
  return name === 'user' || name.startsWith('user:')
}
