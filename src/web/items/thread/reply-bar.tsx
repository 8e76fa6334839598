// The reply at the foot of an item. It says who gets it and whether they can be reached, and then shows the reply's
// delivery. What wasn't sent is kept as a draft.

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { asking, queries } from '../../api/queries.ts'
import { useLive } from '../../live/live.ts'
import { localizeTimes } from '../../ui/moment.tsx'
import { useReceipts } from './conversation.tsx'
import { Ladder } from './ladder.tsx'
import css from './letter.module.css'
import { LetterForm, useLetter } from './letter.tsx'

/** `why` says why the reply may not be read soon; null if it may. */
export type SentReply = { message: string; why: string | null } | 'waiting'

type Props = {
  draftOf: string
  to: string
  /** Before the name: "Reply to". */
  verb?: string
  thread?: string
  /** On the right: another way to reach the agent. */
  beside?: ReactNode
  send: (text: string, key: string) => Promise<SentReply>
}

export function ReplyBar({ draftOf, to, verb = 'Reply to', thread, beside, send }: Props) {
  const onSent = () => void queries.invalidateQueries()
  const letter = useLetter({ title: `${verb} ${to}`, draftOf, send, onSent })
  return (
    <LetterForm
      letter={letter}
      label="Reply"
      above={
        <div className={css.line}>
          <Progress to={to} thread={thread} sent={letter.sending.data} />
          {beside}
        </div>
      }
    />
  )
}

type ProgressProps = { to: string; thread: string | undefined; sent: SentReply | undefined }

/** Before the person's first message: whether the agent can be reached. After that: the delivery of the last one. */
function Progress({ to, thread, sent }: ProgressProps) {
  const { state } = useLive()
  const isAway = state === 'offline' || state === 'reconnecting'
  if (sent === 'waiting' && isAway) {
    return <p role="status">Saved in this browser. It’ll be sent when you’re back online.</p>
  }
  return (
    <div className="grid gap-2 min-0 break" role="status">
      {sent === undefined || sent === 'waiting' ? null : <WaitingReply to={to} {...sent} />}
      {thread === undefined ? <Reach to={to} /> : <LastReply to={to} thread={thread} />}
    </div>
  )
}

/** Disappears once the agent has the message. */
function WaitingReply({ to, message, why }: { to: string; message: string; why: string | null }) {
  const { data } = useQuery(asking('mail receipts', { message }))
  if (data?.messages[0]?.receipts.some(({ state }) => state !== 'queued')) return null
  const words = why === null ? `It’s waiting for ${to}.` : localizeTimes(why, Date.now())
  return <p>{`Sent. ${sentenceOf(words, to)}`}</p>
}

function LastReply({ to, thread }: { to: string; thread: string }) {
  const [receipt] = [...useReceipts(thread).values()].at(-1) ?? []
  if (receipt === undefined) return <Reach to={to} />
  return <Ladder receipt={receipt} title="Your reply" />
}

function Reach({ to }: { to: string }) {
  // An address that isn't an agent, such as a role, has no reach.
  const { data } = useQuery({ ...asking('agent reach', { agent: to }), retry: false })
  if (data === undefined) return null
  return <p>{sentenceOf(localizeTimes(data.why, Date.now()), to)}</p>
}

/** An agent's name keeps its case at the start of a sentence. */
function sentenceOf(words: string, name: string): string {
  if (words.startsWith(name)) return words
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
