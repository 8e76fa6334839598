// The reply field at the foot of an item. It says who gets the reply and whether they can be reached, and later shows
// the reply's delivery. An unsent reply is kept as a draft.

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { asking, queries } from '../../api/queries.ts'
import { useLive } from '../../live/live.ts'
import { localizeTimes } from '../../ui/moment.tsx'
import { useReceipts } from './conversation.tsx'
import { Ladder } from './ladder.tsx'
import css from './letter.module.css'
import { LetterForm, useLetter } from './letter.tsx'

/** `why` is the reason the reply might not be read soon, or null if there is none. */
export type SentReply = { message: string; why: string | null } | 'waiting'

type Props = {
  draftOf: string
  to: string
  /** The words before the name, such as "Reply to". */
  verb?: string
  thread?: string
  /** Another way to reach the agent, shown on the right. */
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

/** Shows whether the agent can be reached or, once the person has written, the delivery of their last message. */
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
  // The call fails for an address that isn't an agent, such as a role.
  const { data } = useQuery({ ...asking('agent reach', { agent: to }), retry: false })
  if (data === undefined) return null
  return <p>{sentenceOf(localizeTimes(data.why, Date.now()), to)}</p>
}

/** An agent's name keeps its case at the start of a sentence. */
function sentenceOf(words: string, name: string): string {
  if (words.startsWith(name)) return words
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
