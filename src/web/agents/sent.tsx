// How far the person's latest messages to an agent have come.

import { useQuery } from '@tanstack/react-query'
import { Check, Circle, CircleCheck, CircleX } from 'lucide-react'
import { asking } from '../api/queries.ts'
import type { SentReceipt } from '../inbox/conversation.tsx'
import css from './agent.module.css'
import { Part } from './part.tsx'

const LOOKED_AT = 50
const SHOWN = 3

export function Sent({ to }: { to: string }) {
  const { data } = useQuery(asking('mail receipts', { limit: LOOKED_AT }))
  const sent = (data?.messages ?? [])
    .flatMap(({ id, subject, receipts }) => {
      const receipt = receipts.find(({ recipient }) => recipient === to)
      return receipt === undefined ? [] : [{ id, subject, receipt }]
    })
    .slice(-SHOWN)
    .reverse()
  if (sent.length === 0) return null
  return (
    <Part title="What you sent">
      <ul className={css.sent}>
        {sent.map(({ id, subject, receipt }) => (
          <li key={id}>
            <p className={css.subject} dir="auto">
              {subject}
            </p>
            <Ladder receipt={receipt} />
          </li>
        ))}
      </ul>
    </Part>
  )
}

const WORDS = { queued: 'Queued', presented: 'Presented', read: 'Read', acted: 'Acted' }
const STEPS = Object.keys(WORDS) as (keyof typeof WORDS)[]

/** Nothing goes back down, so every step below the present one is done. */
function Ladder({ receipt }: { receipt: SentReceipt }) {
  const { state, reason } = receipt
  if (state === 'bounced' || state === 'expired') {
    return (
      <p className={css.lost}>
        <CircleX size={14} aria-hidden />
        {`${state === 'bounced' ? 'Bounced' : 'Expired'}${reason === null ? '' : `: ${reason}`}`}
      </p>
    )
  }
  const reached = STEPS.indexOf(state)
  return (
    <ol className={css.ladder} aria-label="Delivery">
      {STEPS.map((step, at) => {
        const Icon = at > reached ? Circle : step === 'acted' ? CircleCheck : Check
        return (
          <li
            key={step}
            className={css.step}
            data-reached={at <= reached}
            aria-current={at === reached ? 'step' : undefined}
          >
            <Icon size={14} aria-hidden />
            {WORDS[step]}
            {at > reached ? <span className={css.spoken}> not yet</span> : null}
          </li>
        )
      })}
    </ol>
  )
}
