import type { CSSProperties } from 'react'
import css from './avatar.module.css'

const HUES = [25, 60, 95, 150, 200, 250, 295, 340]

/** Agents are square and people are round, so they can't be confused. */
export function Avatar({ name, size = 'list' }: { name: string; size?: 'list' | 'line' }) {
  const isPerson = name === 'user' || name.startsWith('user:')
  const shown = name.replace(/^user:/, '')
  const letters = [...shown].slice(0, size === 'line' ? 1 : 2).join('')
  return (
    <span
      className={css.avatar}
      data-size={size}
      data-person={isPerson}
      data-hue
      style={{ '--hue': hueOf(name) } as CSSProperties}
      aria-hidden
    >
      {letters.slice(0, 1).toUpperCase() + letters.slice(1)}
    </span>
  )
}

function hueOf(name: string): number | undefined {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521
  return HUES[sum % HUES.length]
}
