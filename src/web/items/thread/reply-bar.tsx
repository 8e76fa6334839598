// The reply, always at the foot. It says who gets it and whether they can be reached, then how far it has come, and
// keeps what was not sent.

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { asking, queries } from '../../api/queries.ts'
import { useLive } from '../../live/live.ts'
import { withLocalTimes } from '../../ui/moment.tsx'
import { useReceipts } from './conversation.tsx'
import { Ladder } from './ladder.tsx'
import { LetterForm, useLetter } from './letter.tsx'
import css from './reply-bar.module.css'

/** Why it may take a while until it is read, null when nothing stands in its way; or that it waits for the connection. */
export type SentReply = { message: string; why: string | null } | 'waiting'

type Props = {
  draftOf: string
  to: string
  /** The words before the name. */
  verb?: string
  /** The thread in which the person's words are followed. */
  thread?: string
  /** Another way to the agent, at the right. */
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

/** Before there are words of the person's: whether the agent can be reached. After that, how far the last have come. */
function Progress({ to, thread, sent }: ProgressProps) {
  const { state } = useLive()
  const isAway = state === 'offline' || state === 'reconnecting'
  if (sent === 'waiting' && isAway) {
    return <p role="status">Kept in this browser. It is sent once the connection is back.</p>
  }
  return (
    <div className={css.progress} role="status">
      {sent === undefined || sent === 'waiting' ? null : <Waits to={to} {...sent} />}
      {thread === undefined ? <Reach to={to} /> : <Followed to={to} thread={thread} />}
    </div>
  )
}

/** Words that have gone out to the agent wait no more. */
function Waits({ to, message, why }: { to: string; message: string; why: string | null }) {
  const { data } = useQuery(asking('mail receipts', { message }))
  if (data?.messages[0]?.receipts.some(({ state }) => state !== 'queued')) return null
  const words = why === null ? `It waits for ${to}.` : withLocalTimes(why, Date.now())
  return <p>{`Sent. ${sentenceOf(words, to)}`}</p>
}

/** With words under way the ladder says more than the reach. */
function Followed({ to, thread }: { to: string; thread: string }) {
  const [receipt] = [...useReceipts(thread).values()].at(-1) ?? []
  if (receipt === undefined) return <Reach to={to} />
  return <Ladder receipt={receipt} title="Your reply" />
}

function Reach({ to }: { to: string }) {
  // An address that is no agent's, such as a role's, has no reach of its own.
  const { data } = useQuery({ ...asking('agent reach', { agent: to }), retry: false })
  if (data === undefined) return null
  return <p>{sentenceOf(withLocalTimes(data.why, Date.now()), to)}</p>
}

/** A name is written as it is, wherever it stands. */
function sentenceOf(words: string, name: string): string {
  if (words.startsWith(name)) return words
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
