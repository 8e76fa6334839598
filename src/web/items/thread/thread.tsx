// A mail thread as a conversation, with the reply at the foot. Work has its own view.

import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { OperationAnswer } from '../../../ops/catalogue.ts'
import { pagesOf } from '../../api/pages.ts'
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

/** After this many pages, the person loads the next ones with a button. */
const PAGES_AT_ONCE = 4

export function useThreadPages(id: string) {
  const shown = useInfiniteQuery(pagesOf('show', { thread: id }))
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = shown
  const pages = data?.pages
  useEffect(() => {
    // A channel's view loads its entries itself.
    const isShort = pages !== undefined && pages.length < PAGES_AT_ONCE && !isChannel(pages[0])
    if (hasNextPage && !isFetchingNextPage && isShort) void fetchNextPage()
  }, [pages, hasNextPage, isFetchingNextPage, fetchNextPage])
  const whole = useMemo(() => {
    const last = pages?.at(-1)
    return last && { ...last, messages: pages?.flatMap(({ messages }) => messages) ?? [] }
  }, [pages])
  return {
    whole,
    error,
    /** Where the last loaded part of a long thread begins. A thread is marked as read only as far as it's shown. */
    after: (data?.pageParams.at(-1) as { after?: number } | undefined)?.after ?? 0,
    readOn: hasNextPage ? () => void fetchNextPage() : undefined,
  }
}

export function isChannel(page: { thread: { kind: string } } | undefined): boolean {
  return page?.thread.kind === 'channel'
}
