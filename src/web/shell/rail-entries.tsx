import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ListFilter, LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { asking } from '../api/queries.ts'
import css from './rail.module.css'
import type { Screen } from './screens.ts'
import { useSettings } from './settings.ts'
import { isSame, useFilters, wayTo } from './views.ts'

export type ScreenCounts = Partial<Record<Screen['to'], ReactNode>>

/** The number of items waiting on each screen. */
export function useCounts(): ScreenCounts {
  const { data } = useQuery(asking('desk', {}))
  // The first page has all running channels plus one that has ended, and only running ones count.
  const channels = useQuery(asking('workflow channels', { limit: 1 })).data?.channels
  if (data === undefined) return {}
  const { unread, notifications, needs_you } = data
  return {
    '/inbox': <Count count={unread} />,
    '/approvals': <Count count={needs_you.requests} needsYou />,
    '/threads': <Count count={needs_you.questions} needsYou />,
    '/channels': <Count count={channels?.reduce(addRunning, 0) ?? 0} />,
    '/notifications': <Count count={notifications} />,
  }
}

function addRunning(sum: number, { state, unread }: { state: string; unread: number }): number {
  return state === 'running' ? sum + unread : sum
}

type EntriesProps = { screens: readonly Screen[]; counts: ScreenCounts; onGo?: () => void }

export function Entries({ screens, counts, onGo }: EntriesProps) {
  return screens.map(({ title, to, icon: Icon, isOnPhone = false }) => (
    <li key={to} data-phone={isOnPhone}>
      <Link className={css.entry} to={to} search={{}} title={title} onClick={onGo}>
        <Icon size={16} aria-hidden />
        <span className={css.words}>{title}</span>
        {counts[to]}
      </Link>
    </li>
  ))
}

export function SignOut() {
  return (
    <form method="post" action="/sign-out">
      <button type="submit" className={css.entry} title="Sign out">
        <LogOut size={16} aria-hidden />
        <span className={css.words}>Sign out</span>
      </button>
    </form>
  )
}

function Count({ count, needsYou = false }: { count: number; needsYou?: boolean }) {
  if (count === 0) return null
  return (
    <span className={needsYou ? css.pill : css.count}>
      {count > 999 ? '999+' : count}
      <span className="spoken">{needsYou ? ' waiting for you' : ' unread'}</span>
    </span>
  )
}

export function ViewLinks({ onGo }: { onGo?: () => void }) {
  const [{ views }] = useSettings()
  const shown = useFilters()
  if (views.length === 0) return null
  return (
    <div className="pt-4">
      <p className="meta faint py-2 px-4" aria-hidden>
        Views
      </p>
      <ul aria-label="Views">
        {views.map((view) => (
          <li key={view.name}>
            <Link
              {...wayTo(view)}
              className={css.entry}
              activeProps={{}}
              activeOptions={{ exact: true, includeSearch: true }}
              data-on={isSame(view, shown)}
              title={view.name}
              onClick={onGo}
            >
              <ListFilter size={16} aria-hidden />
              <span className={css.words} dir="auto">
                {view.name}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
