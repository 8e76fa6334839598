import { Check, Circle, CircleCheck, CircleX } from 'lucide-react'
import { clockOf } from '../../ui/time.tsx'
import type { SentReceipt } from './conversation.tsx'
import css from './ladder.module.css'

const STEPS = [
  { state: 'queued', title: 'Queued', at: 'queued_at', by: null },
  { state: 'presented', title: 'Presented', at: 'presented_at', by: 'presented_by' },
  { state: 'read', title: 'Read', at: 'read_at', by: 'read_by' },
  { state: 'acted', title: 'Acted', at: 'acted_at', by: 'acted_by' },
] as const

/** Without a title, the ladder is brief: it shows no times, but includes the steps still to come. */
export function Ladder({ receipt, title }: { receipt: SentReceipt; title?: string }) {
  const { state, reason } = receipt
  const isBrief = title === undefined
  if (state === 'bounced' || state === 'expired') {
    const what = isBrief ? (state === 'bounced' ? 'Bounced' : 'Expired') : `${title} ${state}`
    return (
      <p className={css.lost}>
        <CircleX size={14} aria-hidden />
        {`${what}${reason === null ? '' : `: ${reason}`}`}
      </p>
    )
  }
  const reached = STEPS.findIndex((step) => step.state === state)
  return (
    <div className={css.ladder} data-brief={isBrief}>
      {isBrief ? null : <span className="quiet not-phone">{title}</span>}
      <ol className={css.steps} aria-label={`Delivery: ${STEPS[reached]?.title}`}>
        {(isBrief ? STEPS : STEPS.slice(0, reached + 1)).map((step, at) => {
          const when = isBrief ? null : receipt[step.at]
          const by = step.by === null ? null : receipt[step.by]
          const Icon = at > reached ? Circle : step.state === 'acted' ? CircleCheck : Check
          return (
            <li
              key={step.state}
              className={css.step}
              aria-current={at === reached ? 'step' : undefined}
              data-last={at === reached}
              data-step={at > reached ? undefined : step.state}
              title={by === null ? undefined : `Source: ${by}`}
            >
              <Icon size={14} aria-hidden />
              <span>{step.title}</span>
              {at > reached ? <span className="spoken"> not yet</span> : null}
              {when === null ? null : <time dateTime={when}>{clockOf(new Date(when))}</time>}
            </li>
          )
        })}
      </ol>
    </div>
  )
}
