// Notifies the person when an agent needs them and, if they turned that on, when work fails. An item that is open, or
// visible on the open screen, doesn't cause a notification. ⇧N opens the next item.

import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { BellOff, BellRing, CircleArrowRight } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { isQuiet, type NotifySettings } from '../../../core/agents/settings.ts'
import type { OperationAnswer } from '../../../ops/catalogue.ts'
import { asking, queries } from '../../api/queries.ts'
import { holdsStream } from '../../api/stream.ts'
import { type KeyCommand, useCommands } from '../../ui/commands.ts'
import { clockOf, leftIn } from '../../ui/time.tsx'
import { dismissToast, showToast } from '../../ui/toasts.tsx'
import { usePause, useSettings } from '../settings.ts'
import { closeOnDesktop, closeTogether, type DesktopNews, showOnDesktop } from './desktop.ts'
import { compareRows, type RowMemory } from './news.ts'
import { play } from './sound.ts'

type NeedRow = OperationAnswer<'desk list'>['rows'][number]

export function Notifier() {
  const needs = useNeeds()
  useCommands(useNextCommand())
  useCommands(usePauseCommands())
  const announcement = useNeedsNotifications(needs)
  useFailureNotifications()
  return (
    <p className="spoken" role="status">
      {announcement}
    </p>
  )
}

/** The maximum page size, which is more rows than anyone has. */
const MOST_NEEDS = 500

const NEEDS = asking('desk list', { needs_you: true, limit: MOST_NEEDS })

const MINUTE_MS = 60_000

/** The rows that need the person, the most urgent first. */
function useNeeds(): readonly NeedRow[] | undefined {
  // A snooze ends by the clock, without an event. This also runs in a hidden tab, because its title has the count.
  useEffect(() => {
    const timer = setInterval(() => {
      for (const { queryKey } of [NEEDS, asking('desk', {})]) {
        void queries.invalidateQueries({ queryKey })
      }
    }, MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return useQuery(NEEDS).data?.rows
}

/** Returns the announcement for screen reader users, who can't see that something new has appeared. */
function useNeedsNotifications(needs: readonly NeedRow[] | undefined): string {
  const router = useRouter()
  const open = useOpen()
  const [{ notify }] = useSettings()
  const known = useRef<RowMemory | null>(null)
  const [announcement, setAnnouncement] = useState('')
  useEffect(() => {
    if (needs === undefined) return
    const { pathname } = router.state.location
    const { fresh, gone, known: now } = compareRows(known.current, needs)
    known.current = now
    for (const id of gone) closeOnDesktop(id)
    if (needs.length === 0) {
      closeTogether()
      dismissToast('needs-you')
    }
    if (fresh.length === 0) return
    const [first] = fresh as [NeedRow]
    setAnnouncement(fresh.length === 1 ? textFor(first) : `${fresh.length} things need you`)
    const news = fresh.filter(({ thread_id }) => !isInFocus(thread_id, pathname))
    if (news.length === 0 || isSilent(notify)) return
    const elsewhere = news.filter((one) => !isVisibleOn(one, pathname))
    if (elsewhere.length > 0 && document.visibilityState === 'visible') toastNeeds(elsewhere, open)
    if (!holdsStream()) return
    if (notify.desktop) {
      showOnDesktop(
        news.map((one) => desktopNewsOf(one, open)),
        (count) => desktopSummary(count, needs, () => open(nextOf(needs, '') as NeedRow)),
      )
    }
    if (notify.sound) play('needs you')
  }, [needs, router, open, notify])
  return announcement
}

/** Reports failed work only to people who turned this on, and only on the desktop and by sound. */
function useFailureNotifications(): void {
  const router = useRouter()
  const [{ notify }, , isKnown] = useSettings()
  const { data } = useQuery({
    ...asking('list', { status: ['failed'], limit: 20 }),
    enabled: isKnown && notify.failures,
  })
  const known = useRef<RowMemory | null>(null)
  useEffect(() => {
    // Someone who turns this on later isn't notified of earlier failures.
    if (!notify.failures) known.current = null
    if (!notify.failures || data === undefined) return
    const rows = data.threads.map((thread) => ({ ...thread, event_id: 0 }))
    const { fresh, known: now } = compareRows(known.current, rows)
    known.current = now
    if (fresh.length === 0 || isSilent(notify) || !holdsStream()) return
    const open = (id: string) => void router.navigate({ to: '/threads/$id', params: { id } })
    if (notify.desktop) {
      const news = fresh.map(({ thread_id: id, subject, assigned_to }) => ({
        id,
        title: `${assigned_to} failed`,
        body: subject,
        open: () => open(id),
      }))
      showOnDesktop(news, (count) => ({
        id: 'failed',
        title: `${count} threads failed`,
        body: '',
        open: () => void router.navigate({ to: '/threads', search: {} }),
      }))
    }
    if (notify.sound) play('failed')
  }, [data, router, notify])
}

function isInFocus(threadId: string, pathname: string): boolean {
  return isOpen(threadId, pathname) && document.hasFocus()
}

function isOpen(threadId: string, pathname: string): boolean {
  return pathname.split('/')[2] === threadId
}

/** Whether the open screen lists the row, so that it needs no toast. */
function isVisibleOn({ what }: Pick<NeedRow, 'what'>, pathname: string): boolean {
  const screen = pathname.split('/')[1]
  return screen === 'inbox' || (screen === 'approvals' && what === 'request')
}

/** Whether toasts, desktop notifications and sounds are off. The counts still update. */
function isSilent(notify: NotifySettings): boolean {
  const isPaused = notify.paused_until !== null && Date.parse(notify.paused_until) > Date.now()
  return isPaused || isQuiet(notify, clockOf(new Date()))
}

function textFor({ what, latest_from }: NeedRow): string {
  return what === 'request' ? `${latest_from} needs a decision` : `${latest_from} has a question`
}

function desktopNewsOf(need: NeedRow, open: (need: NeedRow) => void): DesktopNews {
  const { thread_id: id, title } = need
  return { id, title: textFor(need), body: title, open: () => open(need) }
}

function desktopSummary(count: number, needs: readonly NeedRow[], open: () => void): DesktopNews {
  const first = needs.find(({ expires_at }) => expires_at !== null)?.expires_at ?? null
  const body = first === null ? '' : `The first expires in ${leftIn(first, Date.now())}`
  return { id: 'needs-you', title: `${count} things need you`, body, open }
}

function toastNeeds(news: readonly NeedRow[], open: (need: NeedRow) => void): void {
  const [first] = news as [NeedRow]
  const texts =
    news.length === 1
      ? { text: textFor(first), more: first.title }
      : { text: `${news.length} things need you`, more: `First: ${first.title}` }
  const run = () => {
    dismissToast('needs-you')
    open(first)
  }
  showToast({ id: 'needs-you', ...texts, open: { run } })
}

/** Opens requests on the approvals screen unless the inbox is open, and other rows in the inbox. */
function useOpen(): (need: NeedRow) => void {
  const router = useRouter()
  return useCallback(
    ({ thread_id: id, what }) => {
      const isInInbox = router.state.location.pathname.startsWith('/inbox')
      const to = what === 'request' && !isInInbox ? '/approvals/$id' : '/inbox/$id'
      void router.navigate({ to, params: { id }, search: {} })
    },
    [router],
  )
}

function useNextCommand(): readonly KeyCommand[] {
  const router = useRouter()
  const open = useOpen()
  const show = (needs: readonly NeedRow[] | undefined) => {
    const next = nextOf(needs ?? [], router.state.location.pathname)
    if (next !== undefined) open(next)
    else if (needs !== undefined)
      showToast({ id: 'needs-you', text: 'Nothing needs your attention.' })
  }
  const run = () => void latestNeeds().then(show)
  return [
    {
      title: 'Next item that needs you',
      keys: 'N',
      group: 'Everywhere',
      icon: CircleArrowRight,
      run,
    },
  ]
}

function nextOf(needs: readonly NeedRow[], pathname: string): NeedRow | undefined {
  const open = needs.findIndex(({ thread_id }) => isOpen(thread_id, pathname))
  return needs[(open + 1) % Math.max(1, needs.length)]
}

/** Waits for rows being fetched, as the count in the title may arrive first. Doesn't wait if the server is away. */
async function latestNeeds(): Promise<readonly NeedRow[] | undefined> {
  const { queryKey } = NEEDS
  const query = queries.getQueryCache().find({ queryKey })
  while (query?.state.fetchStatus === 'fetching' && query.state.fetchFailureCount === 0) {
    await query.promise?.catch(() => {})
  }
  return queries.getQueryData(queryKey)?.rows
}

function usePauseCommands(): readonly KeyCommand[] {
  const [, change] = useSettings()
  const until = usePause()
  const shown =
    until === null
      ? { title: 'Pause notifications for 1 hour', icon: BellOff, pause_minutes: 60 }
      : { title: 'Resume notifications', icon: BellRing, pause_minutes: 0 }
  const { pause_minutes, ...command } = shown
  return [{ ...command, keys: '', group: 'Everywhere', run: () => change({ pause_minutes }) }]
}
