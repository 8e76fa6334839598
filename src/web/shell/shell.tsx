import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useRouter } from '@tanstack/react-router'
import { Ellipsis, LogOut, Search } from 'lucide-react'
import { type ReactNode, useEffect, useMemo } from 'react'
import { asking, me } from '../api/queries.ts'
import { useSettings } from '../api/settings.ts'
import { useLive } from '../live/live.ts'
import { Key } from '../ui/key.tsx'
import { clockOf } from '../ui/time.tsx'
import { GO_TO, rememberSingleKeys, useCommands } from './commands.ts'
import { Help } from './help.tsx'
import { Notices } from './notices.tsx'
import { openPalette, PALETTE_KEYS, PaletteDialog } from './palette-dialog.tsx'
import { SCREENS, type Screen } from './screens.ts'
import css from './shell.module.css'
import { SignedOut } from './signed-out.tsx'

export function Shell() {
  const router = useRouter()
  const who = useQuery(me)
  useCommands(
    useMemo(
      () =>
        SCREENS.map(({ title, to, key, icon }) => ({
          title,
          icon,
          keys: `g ${key}`,
          group: GO_TO,
          run: () => void router.navigate({ to, search: {} }),
        })),
      [router],
    ),
  )
  const [{ single_keys }, , isKnown] = useSettings()
  useEffect(() => {
    if (isKnown) rememberSingleKeys(single_keys)
  }, [single_keys, isKnown])
  const { state } = useLive()
  if (who.error !== null || state === 'signed out') return <SignedOut error={who.error} />
  return (
    <div className={css.shell}>
      <a className={css.skip} href="#main">
        Skip to the content
      </a>
      <Rail />
      <main id="main" className={css.main} tabIndex={-1}>
        {who.isSuccess ? <Outlet /> : null}
      </main>
      <Notices />
      <Help />
      <PaletteDialog />
    </div>
  )
}

function Rail() {
  const { data } = useQuery(asking('request list', { tab: 'pending', limit: 1 }))
  const needsYou = data?.pending ?? 0
  const unread = useQuery(asking('desk list', { limit: 1 })).data?.unread ?? 0
  const notified =
    useQuery(asking('desk list', { notifications: true, limit: 1 })).data?.unread ?? 0
  const counts: Partial<Record<Screen['to'], ReactNode>> = {
    '/inbox': <Unread count={unread} />,
    '/approvals': <NeedsYou count={needsYou} />,
    '/notifications': <Unread count={notified} />,
  }
  useEffect(() => {
    document.title = needsYou === 0 ? 'Mailroom' : `(${needsYou}) Mailroom`
  }, [needsYou])
  return (
    <nav className={css.rail} aria-label="Main">
      <a className={css.brand} href="/">
        <Logo />
        Mailroom
      </a>
      <button type="button" className={css.find} onClick={openPalette}>
        <Search size={16} aria-hidden />
        Search or run
        <Key name={PALETTE_KEYS} />
      </button>
      <ul>
        <Entries screens={SCREENS.filter(({ isAtFoot }) => !isAtFoot)} counts={counts} />
        <li className={css.others}>
          <button type="button" className={css.entry} onClick={openPalette}>
            <Ellipsis size={16} aria-hidden />
            More
          </button>
        </li>
      </ul>
      <div className={css.foot}>
        <ul>
          <Entries screens={SCREENS.filter(({ isAtFoot }) => isAtFoot)} counts={counts} />
        </ul>
        <Connection />
        <form method="post" action="/sign-out">
          <button type="submit" className={css.entry}>
            <LogOut size={16} aria-hidden />
            Sign out
          </button>
        </form>
      </div>
    </nav>
  )
}

type EntriesProps = {
  screens: readonly Screen[]
  counts: Partial<Record<Screen['to'], ReactNode>>
}

function Entries({ screens, counts }: EntriesProps) {
  return screens.map(({ title, to, icon: Icon, isOnPhone = false }) => (
    <li key={to} data-phone={isOnPhone}>
      <Link className={css.entry} to={to} search={{}}>
        <Icon size={16} aria-hidden />
        {title}
        {counts[to]}
      </Link>
    </li>
  ))
}

function Unread({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className={css.count}>
      {count > 999 ? '999+' : count}
      <span className={css.hidden}> unread</span>
    </span>
  )
}

function NeedsYou({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className={css.pill}>
      {count > 999 ? '999+' : count}
      <span className={css.hidden}> waiting for you</span>
    </span>
  )
}

function Connection() {
  const { state, since } = useLive()
  const words = {
    connecting: 'Connecting…',
    live: 'Live',
    reconnecting: 'Reconnecting…',
    offline: `Offline since ${clockOf(new Date(since))}`,
    'signed out': 'Signed out',
  }[state]
  return (
    <p className={css.connection} data-state={state} role="status">
      <span className={css.dot} aria-hidden />
      {words}
    </p>
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
