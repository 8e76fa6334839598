// Settings. Most apply to the person in every browser. The few that apply only to this browser say so.

import { Link, useParams } from '@tanstack/react-router'
import { Bell, ChevronLeft, Info, Keyboard as KeyboardIcon, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import type { MARK_READ } from '../../../core/agents/settings.ts'
import { GRACE_SETTING, GRACES, graceSeconds } from '../../items/request/use-decision.ts'
import { useSettings } from '../../shell/settings.ts'
import { isOn, useAllCommands } from '../../ui/commands.ts'
import { Key, MOD } from '../../ui/key.tsx'
import shared from '../../ui/list.module.css'
import { About } from './about.tsx'
import { Choice, Group, Line, Switch } from './controls.tsx'
import { NotificationSettings } from './notifications.tsx'
import css from './screen.module.css'
import { ViewList } from './view-list.tsx'

const SAVED = 'Saved for all your devices'

const SECTIONS = {
  general: { title: 'General', icon: SlidersHorizontal, note: SAVED, Content: General },
  notifications: { title: 'Notifications', icon: Bell, note: SAVED, Content: NotificationSettings },
  keyboard: { title: 'Keyboard', icon: KeyboardIcon, note: SAVED, Content: Keyboard },
  about: { title: 'About', icon: Info, note: '', Content: About },
}
type SectionName = keyof typeof SECTIONS

function isSection(name: string | undefined): name is SectionName {
  return name !== undefined && Object.hasOwn(SECTIONS, name)
}

export function SettingsScreen() {
  const { section } = useParams({ strict: false })
  const name = isSection(section) ? section : 'general'
  const { title, note, Content } = SECTIONS[name]
  return (
    <div className={css.screen} data-screen data-open={section !== undefined}>
      <h1 className="spoken">Settings</h1>
      <section className={css.sections} aria-label="Sections">
        <header className={shared.header}>
          <p className="semi text-pane" aria-hidden>
            Settings
          </p>
        </header>
        <ul className="px-3 py-4">
          {Object.entries(SECTIONS).map(([one, { title: words, icon: Icon }]) => (
            <li key={one}>
              <Link
                to="/settings/$section"
                params={{ section: one }}
                className={css.section}
                aria-current={one === name ? 'page' : undefined}
              >
                <Icon size={16} aria-hidden />
                {words}
              </Link>
            </li>
          ))}
        </ul>
      </section>
      <section className={css.detail} aria-label={title}>
        <header className={shared.header}>
          <Link to="/settings" className={css.back} aria-label="Back to settings">
            <ChevronLeft size={20} aria-hidden />
          </Link>
          <h2 className="medium">{title}</h2>
          <p className={css.note}>{note}</p>
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard */}
        <div className={css.scroll} tabIndex={0}>
          <div className={css.column}>
            <Content />
          </div>
        </div>
      </section>
    </div>
  )
}

function Keyboard() {
  const [{ single_keys }, change] = useSettings()
  const commands = useAllCommands().filter(({ keys }) => keys !== '' && isOn(keys))
  const groups = [...Map.groupBy(commands, ({ group }) => group)]
  return (
    <>
      <Group title="Shortcuts">
        <Switch
          title="Single-key shortcuts"
          about={`J, K, A and so on. When off, only ${MOD}+K, arrows, Escape, Enter and Tab work`}
          isOn={single_keys}
          onChange={(next) => change({ single_keys: next })}
        />
      </Group>
      {groups.map(([group, own]) => (
        <Group key={group} title={group}>
          {[...Map.groupBy(own, ({ title }) => title)].map(([title, all]) => (
            <Line key={title} title={title}>
              {[...new Set(all.map(({ keys }) => keys))].map((keys) => (
                <span key={keys}>
                  <span className="spoken">{keys}</span>
                  <Key name={keys} />
                </span>
              ))}
            </Line>
          ))}
        </Group>
      ))}
      <p className="faint mt-8">{`Each screen has its own keys. Press ${isOn('?') ? '? to list' : `${MOD}+K to find`} them there.`}</p>
    </>
  )
}

const THEMES = { system: 'System', light: 'Light', dark: 'Dark' }
type Theme = keyof typeof THEMES
const READ_WORDS = {
  'at once': 'Right away',
  'after a moment': 'After a moment',
  'by hand': 'Manually',
}
const GRACE_WORDS = Object.fromEntries(GRACES.map((one) => [String(one), `${one} sec`]))

function General() {
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
