// Saved views. A view is a screen and its filters, saved under a name. The open item isn't part of it.

import {
  defaultParseSearch,
  defaultStringifySearch,
  useRouter,
  useRouterState,
} from '@tanstack/react-router'
import { ListFilter } from 'lucide-react'
import { VIEW_SCREENS, type View, type ViewScreen } from '../../core/agents/settings.ts'
import { GO_TO, type KeyCommand } from '../ui/commands.ts'
import { useSettings } from './settings.ts'

/** Search parameters that say what's open; they aren't filters. */
const NO_FILTERS = ['rev', 'raw', 'doc', 'at', 'thread', 'entry', 'panel']

/** The filters of an address, sorted so they can be compared. */
function filtersIn(search: Record<string, unknown>): string {
  const own = Object.entries(search).filter(
    ([name, value]) => value !== undefined && !NO_FILTERS.includes(name),
  )
  own.sort(([a], [b]) => (a < b ? -1 : 1))
  return defaultStringifySearch(Object.fromEntries(own)).replace(/^\?/, '')
}

function searchOf({ search }: Pick<View, 'search'>): Record<string, unknown> {
  return defaultParseSearch(`?${search}`)
}

/** The open screen and its filters, or null if it can't have views. */
export function useFilters(): { screen: ViewScreen; search: string } | null {
  const { pathname, search } = useRouterState({ select: ({ location }) => location })
  const screen = VIEW_SCREENS.find((one) => one === pathname.split('/')[1])
  return screen === undefined ? null : { screen, search: filtersIn(search) }
}

export function isSame(view: View, shown: { screen: ViewScreen; search: string } | null): boolean {
  return shown?.screen === view.screen && shown.search === filtersIn(searchOf(view))
}

/** The first nine views open with G and a digit. */
export function useViewCommands(): readonly KeyCommand[] {
  const [{ views }] = useSettings()
  const router = useRouter()
  return views.slice(0, 9).map((view, at) => ({
    title: view.name,
    icon: ListFilter,
    keys: `g ${at + 1}`,
    group: GO_TO,
    // The palette lists all views itself.
    isPalette: true,
    run: () => void router.navigate(wayTo(view)),
  }))
}

/** Screens ignore filters they don't know, so the cast below is safe. */
export function wayTo(view: View): { to: `/${ViewScreen}`; search: never } {
  const filters = searchOf({ search: filtersIn(searchOf(view)) })
  return { to: `/${view.screen}`, search: filters as never }
}
