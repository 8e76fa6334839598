// A conversation, oldest first. The person's messages show their delivery; the reply bar shows it for the last one.

import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { OperationAnswer } from '../../../ops/catalogue.ts'
import { asking, me } from '../../api/queries.ts'
import { useWaiting } from '../../live/outbox.ts'
import { useDisplayName } from '../../shell/names.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Markdown } from '../documents/document.tsx'
import css from './conversation.module.css'

export type SentReceipt = OperationAnswer<'mail receipts'>['messages'][number]['receipts'][number]

export type Word = {
  id: string
  from: string
  subject: string
  body: string
  created_at: string
  /** Plain text, not Markdown. */
  isPlain?: boolean
}

type ConversationProps = { thread: string; words: readonly Word[]; title?: string }

export function Conversation({ thread, words, title }: ConversationProps) {
  const receipts = useReceipts(thread)
  const waiting = useWaiting().filter(({ about, words: said }) => about === thread && said)
  const called = useDisplayName()
  const count = words.length + waiting.length
  if (count === 0) return null
  return (
    <section className="mt-8" aria-label={title ?? 'Conversation'}>
      {title === undefined || count < 2 ? null : (
        <h3 className={css.title}>
          {title} <span className="quiet regular">{count}</span>
        </h3>
      )}
      <ol>
        {words.map(({ id, from, subject, body, created_at, isPlain }) => {
          const name = from.replace(/^agent:/, '')
          const text = body === '' ? subject : body
          return (
            <Message
              key={id}
              name={name}
              called={called(from)}
              when={<Moment at={created_at} />}
              state={<LastState receipt={receipts.get(id)?.[0]} />}
            >
              {isPlain ? <p className="prose pre-wrap break">{text}</p> : <Markdown text={text} />}
            </Message>
          )
        })}
        {waiting.map(({ key, words: said = '', at }) => (
          <Message
            key={key}
            name="user"
            called="You"
            when={<Moment at={new Date(at).toISOString()} />}
            state={
              <p className={css.state}>
                <Clock size={14} aria-hidden />
                Waiting for the connection
              </p>
            }
          >
            <Markdown text={said} />
          </Message>
        ))}
      </ol>
    </section>
  )
}

type MessageProps = {
  name: string
  called: string
  when: ReactNode
  state: ReactNode
  children: ReactNode
}

function Message({ name, called, when, state, children }: MessageProps) {
  const isPerson = name === 'user' || name.startsWith('user:')
  return (
    <li className={css.word}>
      <Avatar name={name} />
      <div>
        <p className={css.by}>
          <b>{called}</b>
          <span className="quiet regular">
            {isPerson ? null : 'agent '}
            {when}
          </span>
        </p>
        {children}
        {state}
      </div>
    </li>
  )
}

const STATES = { acted: 'Acted', bounced: 'Bounced', expired: 'Expired' }

/** Earlier messages show their delivery only once it's final. */
function LastState({ receipt }: { receipt: SentReceipt | undefined }) {
  if (receipt === undefined || !(receipt.state in STATES)) return null
  const { state, acted_at, ended_at, reason } = receipt
  const at = state === 'acted' ? acted_at : ended_at
  const Icon = state === 'acted' ? CircleCheck : CircleX
  return (
    <p className={css.state} data-state={state}>
      <Icon size={14} aria-hidden />
      <b>{STATES[state as keyof typeof STATES]}</b>
      {at === null ? null : <Moment at={at} />}
      {state === 'acted' || reason === null ? null : reason}
    </p>
  )
}

export function useReceipts(thread: string): Map<string, SentReceipt[]> {
  const { data } = useQuery(asking('mail receipts', { thread }))
  const { data: known } = useQuery(me)
  // The owner of the store gets receipts for everyone's messages, so keep only the person's.
  const own = (data?.messages ?? []).filter(({ from }) => from === known?.principal.name)
  return new Map(own.map(({ id, receipts }) => [id, receipts]))
}
