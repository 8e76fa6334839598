// Notifies the person when an agent needs them, and of other events only if they chose so. An item that is open, or in
// sight on the open screen, causes no notification.

import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { BellOff, BellRing } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { isQuiet, type NotifySettings } from '../../../core/agents/settings.ts'
import { asking } from '../../api/queries.ts'
import { holdsStream } from '../../api/stream.ts'
import { type KeyCommand, useCommands } from '../../ui/commands.ts'
import { clockOf, leftIn } from '../../ui/time.tsx'
import { dismissToast, showToast } from '../../ui/toasts.tsx'
import { usePause } from '../pause.ts'
import { useSettings } from '../settings.ts'
import { closeOnDesktop, closeTogether, type DesktopNews, showOnDesktop } from './desktop.ts'
import {
  isInSight,
  isOpen,
  type NeedRow,
  nextOf,
  useNeeds,
  useNextCommand,
  useOpen,
} from './needs.ts'
import { compare, type RowMemory } from './news.ts'
import { play } from './sound.ts'

export function Notifier() {
  const needs = useNeeds()
  useCommands(useNextCommand())
  useCommands(usePauseCommands())
  const heard = useNews(needs)
  useFailures()
  return (
    <p className="spoken" role="status">
      {heard}
    </p>
  )
}

/** Gives back the words for readers of the screen, who would not see what has come into sight. */
function useNews(needs: readonly NeedRow[] | undefined): string {
  const router = useRouter()
  const open = useOpen()
  const [{ notify: ways }] = useSettings()
  const known = useRef<RowMemory | null>(null)
  const [heard, setHeard] = useState('')
  useEffect(() => {
    if (needs === undefined) return
    const { pathname } = router.state.location
    const { fresh, gone, known: now } = compare(known.current, needs)
    known.current = now
    for (const id of gone) closeOnDesktop(id)
    if (needs.length === 0) {
      closeTogether()
      dismissToast('needs-you')
    }
    if (fresh.length === 0) return
    setHeard(fresh.length === 1 ? sayingOf(fresh[0] as NeedRow) : `${fresh.length} things need you`)
    const news = fresh.filter(({ thread_id }) => !isLookedAt(thread_id, pathname))
    if (news.length === 0 || isSilent(ways)) return
    const away = news.filter((one) => !isInSight(one, pathname))
    if (away.length > 0 && document.visibilityState === 'visible') noticeOf(away, open)
    if (!holdsStream()) return
    if (ways.desktop) {
      showOnDesktop(
        news.map((one) => newsOf(one, open)),
        (count) => together(count, needs, () => open(nextOf(needs, '') as NeedRow)),
      )
    }
    if (ways.sound) play('needs you')
  }, [needs, router, open, ways])
  return heard
}

/** Work that failed is told only to those who chose it, and only on the desktop and by sound. */
function useFailures(): void {
  const router = useRouter()
  const [{ notify: ways }, , isKnown] = useSettings()
  const { data } = useQuery({
    ...asking('list', { status: ['failed'], limit: 20 }),
    enabled: isKnown && ways.failures,
  })
  const known = useRef<RowMemory | null>(null)
  useEffect(() => {
    // A person who chooses this later is not told of earlier failures.
    if (!ways.failures) known.current = null
    if (!ways.failures || data === undefined) return
    const rows = data.threads.map((thread) => ({ ...thread, event_id: 0 }))
    const { fresh, known: now } = compare(known.current, rows)
    known.current = now
    if (fresh.length === 0 || isSilent(ways) || !holdsStream()) return
    const open = (id: string) => void router.navigate({ to: '/threads/$id', params: { id } })
    if (ways.desktop) {
      const news = fresh.map(({ thread_id: id, subject, assigned_to }) => ({
        ...{ id, title: `${assigned_to} failed`, body: subject, open: () => open(id) },
      }))
      showOnDesktop(news, (count) => ({
        ...{ id: 'failed', title: `${count} threads failed`, body: '' },
        open: () => void router.navigate({ to: '/threads', search: {} }),
      }))
    }
    if (ways.sound) play('failed')
  }, [data, router, ways])
}

function isLookedAt(threadId: string, pathname: string): boolean {
  return isOpen(threadId, pathname) && document.hasFocus()
}

/** Counts go on counting; nothing else is said. */
function isSilent(ways: NotifySettings): boolean {
  const isPaused = ways.paused_until !== null && Date.parse(ways.paused_until) > Date.now()
  return isPaused || isQuiet(ways, clockOf(new Date()))
}

function sayingOf({ what, latest_from }: NeedRow): string {
  return what === 'request' ? `${latest_from} needs a decision` : `${latest_from} has a question`
}

function newsOf(need: NeedRow, open: (need: NeedRow) => void): DesktopNews {
  const { thread_id: id, title } = need
  return { id, title: sayingOf(need), body: title, open: () => open(need) }
}

function together(count: number, needs: readonly NeedRow[], open: () => void): DesktopNews {
  const first = needs.find(({ expires_at }) => expires_at !== null)?.expires_at ?? null
  const body = first === null ? '' : `The first expires in ${leftIn(first, Date.now())}`
  return { id: 'needs-you', title: `${count} things need you`, body, open }
}

function noticeOf(news: readonly NeedRow[], open: (need: NeedRow) => void): void {
  const [first] = news as [NeedRow]
  const words =
    news.length === 1
      ? { text: sayingOf(first), more: first.title }
      : { text: `${news.length} things need you`, more: `First: ${first.title}` }
  const run = () => {
    dismissToast('needs-you')
    open(first)
  }
  showToast({ id: 'needs-you', ...words, open: { run } })
}

function usePauseCommands(): readonly KeyCommand[] {
  const [, change] = useSettings()
  const until = usePause()
  return useMemo(() => {
    const given = { keys: '', group: 'Everywhere' }
    if (until !== null) {
      const run = () => change({ pause_minutes: 0 })
      return [{ ...given, title: 'Resume notifications', icon: BellRing, run }]
    }
    const run = () => change({ pause_minutes: 60 })
    return [{ ...given, title: 'Pause notifications for 1 hour', icon: BellOff, run }]
  }, [until, change])
}
