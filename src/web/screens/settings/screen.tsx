// Settings. Most apply to the person in every browser; the few for this browser only say so.

import { Link, useParams } from '@tanstack/react-router'
import { Bell, ChevronLeft, Info, Keyboard as KeyboardIcon, SlidersHorizontal } from 'lucide-react'
import shared from '../../ui/list.module.css'
import { About } from './about.tsx'
import { General } from './general.tsx'
import { Keyboard } from './keyboard.tsx'
import { NotificationSettings } from './notifications.tsx'
import css from './screen.module.css'

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
