// The rail: the screens with what's waiting on each, the saved views, and the state of the connection. On a phone it's a
// bar at the bottom.

import { Ellipsis, PanelLeft, Search } from 'lucide-react'
import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { addressOf } from '../api/session.ts'
import type { KeyCommand } from '../ui/commands.ts'
import { Key } from '../ui/key.tsx'
import { Connection, Paused } from './connection.tsx'
import { useBadges } from './notifications/badges.ts'
import { openPalette, PALETTE_KEYS } from './palette-dialog.tsx'
import css from './rail.module.css'
import { Entries, SignOut, useCounts, ViewLinks } from './rail-entries.tsx'
import { SCREENS } from './screens.ts'
import { useSettings } from './settings.ts'
import { isSame, useFilters } from './views.ts'

const MoreSheet = lazy(async () => ({ default: (await import('./more-sheet.tsx')).MoreSheet }))

export function Rail() {
  const counts = useCounts()
  useBadges()
  const [isMore, setMore] = useState(false)
  const [{ views }] = useSettings()
  const shown = useFilters()
  const isView = views.some((view) => isSame(view, shown))
  return (
    <nav className={css.rail} aria-label="Main">
      <div className={css.places}>
        <a className={css.brand} href={addressOf('/')}>
          <Logo />
          <span className={css.words}>Mailroom</span>
        </a>
        <button type="button" className={css.find} title="Search or run" onClick={openPalette}>
          <Search size={16} aria-hidden />
          <span className={css.words}>Search or run</span>
          <Key name={PALETTE_KEYS} />
        </button>
        <ul className={css.screens} data-in-view={isView}>
          <Entries screens={SCREENS.filter(({ isAtFoot }) => !isAtFoot)} counts={counts} />
          <li className={css.others}>
            <button
              type="button"
              className={css.entry}
              aria-haspopup="dialog"
              onClick={() => setMore(true)}
            >
              <Ellipsis size={16} aria-hidden />
              <span className={css.words}>More</span>
            </button>
          </li>
        </ul>
        <div className={css.wide}>
          <ViewLinks />
        </div>
      </div>
      <div className={css.foot}>
        <ul>
          <Entries screens={SCREENS.filter(({ isAtFoot }) => isAtFoot)} counts={counts} />
        </ul>
        <SignOut />
        <Paused />
        <Connection />
      </div>
      <Suspense>
        {isMore ? <MoreSheet counts={counts} onClose={() => setMore(false)} /> : null}
      </Suspense>
    </nav>
  )
}

function Logo() {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <rect
        x="1.25"
        y="1.25"
        width="13.5"
        height="13.5"
        rx="2.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.500"
      />
      <path d="M8 1.500v13M1.500 8h13" stroke="currentColor" strokeWidth="1.500" />
      <rect className={css.flag} x="9.750" y="9.750" width="3.500" height="3.500" rx="1" />
    </svg>
  )
}

const PLACE = 'rail'
const roomy = matchMedia('(min-width: 1200px)')

function watch(watcher: () => void): () => void {
  roomy.addEventListener('change', watcher)
  return () => roomy.removeEventListener('change', watcher)
}

/**
 * Whether the rail shows only icons. In a narrow window, it does until the person expands it. In a wide one, they
 * choose, and this browser remembers the choice, because it's about this window.
 */
export function useNarrowRail(): [boolean, readonly KeyCommand[]] {
  const isRoomy = useSyncExternalStore(watch, () => roomy.matches)
  const [isWished, setWished] = useState(() => localStorage.getItem(PLACE) === 'narrow')
  // Not remembered, because in a narrow window a wide rail takes room from the content.
  const [widened, setWidened] = useState<boolean | null>(null)
  const isNarrow = isRoomy ? isWished : widened !== true
  const run = () => {
    if (!isRoomy) return setWidened(isNarrow)
    if (isNarrow) localStorage.removeItem(PLACE)
    else localStorage.setItem(PLACE, 'narrow')
    setWished(!isNarrow)
  }
  const title = isNarrow ? 'Expand the sidebar' : 'Collapse the sidebar'
  return [isNarrow, [{ title, icon: PanelLeft, keys: 'Mod+\\', group: 'Everywhere', run }]]
}
