import type { LucideIcon } from 'lucide-react'
import type { RequestStatus } from '../../core/requests/request-status.ts'
import css from './badges.module.css'
import { type Hue, RISK_WORDS, STATUSES } from './words.ts'

type SignProps = { icon: LucideIcon; hue: Hue; word: string }

/** A state is always a sign and a word, never its colour alone. */
export function Sign({ icon: Icon, hue, word }: SignProps) {
  return (
    <span className={css.badge} data-hue-of={hue}>
      <Icon size={14} aria-hidden />
      {word}
    </span>
  )
}

export function Status({ status }: { status: RequestStatus }) {
  return <Sign {...STATUSES[status]} />
}

export function Risk({ level, suffix = '' }: { level: string; suffix?: string }) {
  if (!Object.hasOwn(RISK_WORDS, level)) return <span className={css.badge}>{level}</span>
  const { word, bars, hue } = RISK_WORDS[level as keyof typeof RISK_WORDS]
  return (
    <span className={css.badge} data-hue-of={hue}>
      <svg viewBox="0 0 14 12" width="14" height="12" aria-hidden="true">
        {[0, 1, 2].map((at) => (
          <rect
            key={at}
            x={at * 5}
            y={8 - at * 4}
            width="4"
            height={4 + at * 4}
            rx="0.5"
            data-on={at < bars}
            className={css.bar}
          />
        ))}
      </svg>
      {word}
      {suffix}
    </span>
  )
}

export function Version({ revision }: { revision: number }) {
  return <span className={css.version}>{`v${revision}`}</span>
}
