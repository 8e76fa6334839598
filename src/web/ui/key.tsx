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

/** The modifier key for shortcuts, which is different on Apple keyboards. */
export const MOD = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'

/** Shows a command's key next to its button, unless the shortcut is off. Screen readers get it from the help sheet. */
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
  // A capital letter means Shift plus that letter.
  const isCapital = key !== key.toLowerCase()
  return SIGNS[key] ?? (isCapital ? `⇧${key}` : key.toUpperCase())
}
