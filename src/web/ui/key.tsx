import { useIsOn } from './commands.ts'
import css from './key.module.css'

const SIGNS: Record<string, string> = {
  Escape: 'Esc',
  Enter: '↵',
  Backspace: '⌫',
  ' ': 'Space',
  ArrowDown: '↓',
  ArrowUp: '↑',
}

/** Apple's keyboards have another key for commands. */
export const MOD = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'

/** The key of a command, beside what does the same, unless single keys are off. Screen readers have it from the sheet of help. */
export function Key({ name }: { name: string }) {
  if (!useIsOn(name)) return null
  return (
    <span className={css.keys} aria-hidden>
      {name
        .replace('Mod+', `${MOD} `)
        .split(' ')
        .map((one) => (
          <kbd key={one} className={css.key}>
            {signOf(one)}
          </kbd>
        ))}
    </span>
  )
}

function signOf(key: string): string {
  if (key.length > 1) return SIGNS[key] ?? key
  // A capital is the letter with Shift.
  const isCapital = key !== key.toLowerCase()
  return SIGNS[key] ?? (isCapital ? `⇧${key}` : key.toUpperCase())
}
