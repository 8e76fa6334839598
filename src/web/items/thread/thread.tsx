// A thread of mail as a conversation, with the answer at the foot. Work has a view of its own.

import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { OperationAnswer } from '../../../ops/typed-call.ts'
import { submit } from '../../live/outbox.ts'
import { Button } from '../../ui/button.tsx'
import { Coming } from '../../ui/coming.tsx'
import { Missing } from '../../ui/missing.tsx'
import { isChannel, useThreadPages } from '../work/pages.ts'
import { Conversation } from './conversation.tsx'
import css from './item.module.css'
import { ListedTools } from './listed-tools.tsx'
import { useReadAfterDwell } from './read-after-dwell.ts'
import { ReplyBar, type SentReply } from './reply-bar.tsx'

const Work = lazy(async () => ({ default: (await import('../work/work.tsx')).OpenWork }))

const Channel = lazy(async () => ({
  default: (await import('../channel/channel.tsx')).OpenChannel,
}))

type Props = { id: string; backTo?: '/inbox' | '/threads' }

export function OpenThread({ id, backTo = '/inbox' }: Props) {
  const { whole, error, after, readOn } = useThreadPages(id)
  // A channel's own view reads it.
  useReadAfterDwell(id, isChannel(whole) ? undefined : whole?.messages.length, after)
  if (whole === undefined) {
    return <Missing label="Message" gone="There is no such thread." {...{ error, backTo }} />
  }
  if (whole.thread.kind === 'work') {
    return (
      <Suspense fallback={<Coming label="Thread" />}>
        <Work id={id} backTo={backTo} />
      </Suspense>
    )
  }
  if (isChannel(whole)) {
    return (
      <Suspense fallback={<Coming label="Channel" />}>
        <Channel id={whole.thread.run_id ?? ''} backTo={backTo} />
      </Suspense>
    )
  }
  return <Whole {...{ whole, backTo, readOn }} />
}

type WholeProps = {
  whole: Pick<OperationAnswer<'show'>, 'thread' | 'messages'>
  backTo: '/inbox' | '/threads'
  readOn: (() => void) | undefined
}

function Whole({ whole, backTo, readOn }: WholeProps) {
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
        <span className={css.quiet}>Mail</span>
        <span className={css.tools}>
          {backTo === '/inbox' ? <ListedTools isUnread={false} isPush={false} /> : null}
        </span>
      </header>
      <div className={css.scroll}>
        <article className={css.column}>
          <h2 id="item-title" className={css.title} tabIndex={-1} dir="auto">
            {thread.subject}
          </h2>
          <Conversation thread={thread.thread_id} words={words} />
          {readOn === undefined ? null : <Button onClick={readOn}>Read on</Button>}
        </article>
      </div>
      <ReplyBar
        draftOf={thread.thread_id}
        to={to}
        thread={thread.thread_id}
        send={(text, key) => reply({ thread, to, about: last }, text, key)}
      />
    </section>
  )
}

type ReplyTo = {
  thread: WholeProps['whole']['thread']
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
