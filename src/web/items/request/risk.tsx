import type { Hue } from '../status/request-status.ts'
import css from './badges.module.css'

export const RISK_WORDS = {
  low: { word: 'Low', bars: 1, hue: 'grey' },
  medium: { word: 'Medium', bars: 2, hue: 'amber' },
  high: { word: 'High', bars: 3, hue: 'red' },
  critical: { word: 'Critical', bars: 3, hue: 'red' },
} as const satisfies Record<string, { word: string; bars: number; hue: Hue }>

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
