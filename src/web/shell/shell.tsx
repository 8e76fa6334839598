import { useQuery } from '@tanstack/react-query'
import { Outlet, useRouter } from '@tanstack/react-router'
import { Wifi, WifiOff } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { CallRefusal } from '../api/call.ts'
import { me } from '../api/queries.ts'
import { hasKey } from '../api/session.ts'
import { useLive } from '../live/live.ts'
import { useWaiting } from '../live/outbox.ts'
import { amountOf } from '../ui/amounts.ts'
import { GO_TO, rememberSingleKeys, useCommands, usePendingKey } from '../ui/commands.ts'
import { Key } from '../ui/key.tsx'
import { clockOf } from '../ui/time.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { ServerAway } from './error-fallback.tsx'
import { PaletteDialog } from './palette-dialog.tsx'
import { Rail, useNarrowRail } from './rail.tsx'
import { SCREENS } from './screens.ts'
import { useSettings } from './settings.ts'
import css from './shell.module.css'
import { useViewCommands } from './views.ts'

// Loaded on demand, so that the first rows don't have to wait for them.
const Help = lazy(async () => ({ default: (await import('./help.tsx')).Help }))

const Notifier = lazy(async () => ({
  default: (await import('./notifications/notifier.tsx')).Notifier,
}))

const SignedOut = lazy(async () => ({ default: (await import('./signed-out.tsx')).SignedOut }))

const SessionOver = lazy(async () => ({
  default: (await import('../live/session-over.tsx')).SessionOver,
}))

export function Shell() {
  const who = useQuery(me)
  const [{ single_keys }, , isKnown] = useSettings()
  useEffect(() => {
    if (isKnown) rememberSingleKeys(single_keys)
  }, [single_keys, isKnown])
  const [isNarrow, railCommands] = useNarrowRail()
  useCommands(useScreenCommands())
  useCommands(useViewCommands())
  useCommands(railCommands)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const openHelp = () => setHelpOpen(true)
  useCommands([{ title: 'Keyboard shortcuts', keys: '?', group: 'Everywhere', run: openHelp }])
  const { state } = useLive()
  // If the session ends after the page has loaded, what was shown stays visible.
  const isOut = who.error !== null || state === 'signed out'
  const isAway = who.error instanceof CallRefusal && who.error.status === 0
  // A cookie alone doesn't allow changes, so every action on a page that has lost its key would be refused.
  const isKeyLost = who.data?.principal.proof === 'session'
  if (who.data === undefined && isAway) return <ServerAway />
  if (isKeyLost || (who.data === undefined && isOut)) {
    return (
      <Suspense>
        <SignedOut error={who.error} isKeyLost={isKeyLost} />
      </Suspense>
    )
  }
  // If the page has its key, show it before the server confirms the key, so that the first rows don't have to wait.
  const isShown = who.data !== undefined || hasKey()
  return (
    <div className={css.shell} data-narrow={isNarrow}>
      <a className={css.skip} href="#main">
        Skip to content
      </a>
      <Rail />
      <main id="main" className={css.main} tabIndex={-1}>
        <LiveBar />
        <div className="grow min-h-0">{isShown ? <Outlet /> : null}</div>
      </main>
      <Toasts />
      <PendingKey />
      <Suspense>{state === 'signed out' ? <SessionOver /> : null}</Suspense>
      <Suspense>{isHelpOpen ? <Help onClose={() => setHelpOpen(false)} /> : null}</Suspense>
      <PaletteDialog />
      <Suspense>{who.data === undefined ? null : <Notifier />}</Suspense>
    </div>
  )
}

/** Shows the first of two keys until the second is pressed. */
function PendingKey() {
  const pending = usePendingKey()
  if (pending === '') return null
  return (
    <p className={css.pending} aria-hidden>
      <Key name={pending} />…
    </p>
  )
}

function useScreenCommands() {
  const router = useRouter()
  return SCREENS.map(({ title, to, key, icon }) => ({
    title,
    icon,
    keys: `g ${key}`,
    group: GO_TO,
    run: () =>
      void router.navigate({ to, search: {} }).then(() => requestAnimationFrame(focusScreen)),
  }))
}

/** Focuses the new screen's heading, because the old focus is gone, unless the screen has set the focus itself. */
function focusScreen(): void {
  if (document.activeElement?.closest('#main, dialog') != null) return
  const heading = document.querySelector<HTMLElement>('#main h1')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}

const LOOK = 'row meta gap-5 rigid quiet surface-0 line-bottom control-h py-3 px-6'

function LiveBar() {
  const { state, since, back } = useLive()
  const waiting = useWaiting().length
  if (state === 'offline') {
    return (
      <p className={LOOK} role="status">
        <WifiOff size={16} aria-hidden />
        <span>
          <b className="ink medium">{`Offline since ${clockOf(new Date(since))}.`}</b> What you see
          may be out of date.{' '}
          {waiting === 0
            ? 'Anything you read, trash or write will sync when you’re back online.'
            : `${amountOf(waiting, 'action')} will be sent when you’re back online.`}
        </span>
      </p>
    )
  }
  if (back === null) return null
  const fresh = back.fresh === 0 ? 'Back online.' : `Back online, ${back.fresh} new.`
  return (
    <p className={LOOK} role="status">
      <Wifi size={16} className="teal" aria-hidden />
      <span>
        <b className="ink medium">{fresh}</b>
        {back.sent === 0 ? null : ` ${amountOf(back.sent, 'action')} sent.`}
      </span>
    </p>
  )
}
