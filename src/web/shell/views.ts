// Saved views: a screen with its filters, under a name. What is open in the detail is no part of one.

import {
  defaultParseSearch,
  defaultStringifySearch,
  useRouter,
  useRouterState,
} from '@tanstack/react-router'
import { ListFilter } from 'lucide-react'
import { useMemo } from 'react'
import { VIEW_SCREENS, type View, type ViewScreen } from '../../core/agents/settings.ts'
import { GO_TO, type KeyCommand } from '../ui/commands.ts'
import { useSettings } from './settings.ts'

/** Parts of an address that say what is open, and filter nothing. */
const NO_FILTERS = ['rev', 'raw', 'doc', 'at', 'thread', 'entry', 'panel']

/** The filters of an address, always in the same order, so that two of them can be compared. */
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

/** The screen that is shown, if views of it can be kept, and its filters. */
export function useFilters(): { screen: ViewScreen; search: string } | null {
  const { pathname, search } = useRouterState({ select: ({ location }) => location })
  return useMemo(() => {
    const screen = VIEW_SCREENS.find((one) => one === pathname.split('/')[1])
    return screen === undefined ? null : { screen, search: filtersIn(search) }
  }, [pathname, search])
}

export function isSame(view: View, shown: { screen: ViewScreen; search: string } | null): boolean {
  return shown?.screen === view.screen && shown.search === filtersIn(searchOf(view))
}

/** G and a digit lead to the first nine. */
export function useViewCommands(): readonly KeyCommand[] {
  const [{ views }] = useSettings()
  const router = useRouter()
  return useMemo(
    () =>
      views.slice(0, 9).map((view, at) => ({
        title: view.name,
        icon: ListFilter,
        keys: `g ${at + 1}`,
        group: GO_TO,
        // The palette has all views, and not only the first nine.
        isPalette: true,
        run: () => void router.navigate(wayTo(view)),
      })),
    [views, router],
  )
}

/** The screens read their filters themselves and leave out what they do not know, so any may stand here. */
export function wayTo(view: View): { to: `/${ViewScreen}`; search: never } {
  const filters = searchOf({ search: filtersIn(searchOf(view)) })
  return { to: `/${view.screen}`, search: filters as never }
}
