import { useState } from 'react'
import type { MARK_READ } from '../../../core/agents/settings.ts'
import { GRACE_SETTING, GRACES, graceSeconds } from '../../items/request/use-decision.ts'
import { useSettings } from '../../shell/settings.ts'
import { Choice, Group } from './controls.tsx'
import { ViewList } from './view-list.tsx'

const THEMES = { system: 'System', light: 'Light', dark: 'Dark' }
type Theme = keyof typeof THEMES
const READ_WORDS = {
  'at once': 'Right away',
  'after a moment': 'After a moment',
  'by hand': 'Manually',
}
const GRACE_WORDS = Object.fromEntries(GRACES.map((one) => [String(one), `${one} sec`]))

export function General() {
  const [{ mark_read }, change] = useSettings()
  return (
    <>
      <Group title="Appearance">
        <ThemeChoice />
      </Group>
      <Group title="Reading">
        <Choice
          title="Mark as read"
          about="While a message is open. Moving through a list marks nothing"
          value={mark_read}
          options={READ_WORDS satisfies Record<(typeof MARK_READ)[number], string>}
          onChange={(next) => change({ mark_read: next })}
        />
      </Group>
      <Group title="Decisions">
        <GraceChoice />
      </Group>
      <ViewList />
    </>
  )
}

function ThemeChoice() {
  const [theme, setTheme] = useState<Theme>(() => {
    const kept = localStorage.getItem('theme')
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  })
  return (
    <Choice
      title="Theme"
      about="System follows your computer. This browser only"
      value={theme}
      options={THEMES}
      onChange={(next) => {
        setTheme(next)
        if (next === 'system') {
          localStorage.removeItem('theme')
          delete document.documentElement.dataset.theme
        } else {
          localStorage.setItem('theme', next)
          document.documentElement.dataset.theme = next
        }
      }}
    />
  )
}

function GraceChoice() {
  const [grace, setGrace] = useState(() => String(graceSeconds()))
  return (
    <Choice
      title="Time to undo"
      about="How long you can undo a decision before the agent gets it. This browser only"
      value={grace}
      options={GRACE_WORDS}
      onChange={(next) => {
        setGrace(next)
        localStorage.setItem(GRACE_SETTING, next)
      }}
    />
  )
}
