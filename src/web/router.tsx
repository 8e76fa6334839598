// The routes. Each screen's URL contains what's open and how the screen is filtered.

import {
  createRootRoute,
  createRoute,
  createRouter,
  defaultParseSearch,
  defaultStringifySearch,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { addressOf } from './api/session.ts'
import type { ChannelSearch } from './items/channel/search.ts'
import type { ApprovalSearch } from './items/request/search.ts'
import type { HistorySearch } from './screens/history/search.ts'
import { InboxScreen } from './screens/inbox/screen.tsx'
import type { InboxFilters } from './screens/inbox/search.ts'
import type { ThreadSearch } from './screens/threads/search.ts'
import { ErrorFallback, NoSuchPage } from './shell/error-fallback.tsx'
import { Shell } from './shell/shell.tsx'
import type { GivenSearch } from './ui/search.ts'

const loadOthers = () => import('./other-screens.ts')

const root = createRootRoute({ component: Shell })

/** Each screen parses its address in its own `search.ts`, so the parsing code is loaded with the screen. */
const asIs = <T,>(given: GivenSearch): T => given as T

const approvals = createRoute({
  getParentRoute: () => root,
  path: '/approvals',
  validateSearch: asIs<ApprovalSearch>,
  component: lazyRouteComponent(loadOthers, 'ApprovalsScreen'),
})

const approval = createRoute({ getParentRoute: () => approvals, path: '$id' })

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  validateSearch: asIs<InboxFilters & { doc?: string }>,
  component: InboxScreen,
})

const inboxItem = createRoute({ getParentRoute: () => inbox, path: '$id' })

const threads = createRoute({
  getParentRoute: () => root,
  path: '/threads',
  validateSearch: asIs<ThreadSearch>,
  component: lazyRouteComponent(loadOthers, 'ThreadsScreen'),
})

const thread = createRoute({ getParentRoute: () => threads, path: '$id' })

const agents = createRoute({
  getParentRoute: () => root,
  path: '/agents',
  component: lazyRouteComponent(loadOthers, 'AgentsScreen'),
})

const agent = createRoute({ getParentRoute: () => agents, path: '$id' })

const channels = createRoute({
  getParentRoute: () => root,
  path: '/channels',
  validateSearch: asIs<ChannelSearch>,
  component: lazyRouteComponent(loadOthers, 'ChannelsScreen'),
})

const channel = createRoute({ getParentRoute: () => channels, path: '$id' })

const channelDocument = createRoute({ getParentRoute: () => channels, path: '$id/doc/$' })

const history = createRoute({
  getParentRoute: () => root,
  path: '/history',
  validateSearch: asIs<HistorySearch>,
  component: lazyRouteComponent(loadOthers, 'HistoryScreen'),
})

const pastMessage = createRoute({ getParentRoute: () => history, path: '$id' })

const notifications = createRoute({
  getParentRoute: () => root,
  path: '/notifications',
  component: lazyRouteComponent(loadOthers, 'NotificationsScreen'),
})

const notification = createRoute({ getParentRoute: () => notifications, path: '$id' })

const trash = createRoute({
  getParentRoute: () => root,
  path: '/trash',
  component: lazyRouteComponent(loadOthers, 'TrashScreen'),
})

const trashed = createRoute({ getParentRoute: () => trash, path: '$id' })

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(loadOthers, 'SettingsScreen'),
})

const settingsSection = createRoute({ getParentRoute: () => settings, path: '$section' })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/inbox', search: {} })
  },
})

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    inbox.addChildren([inboxItem]),
    approvals.addChildren([approval]),
    threads.addChildren([thread]),
    agents.addChildren([agent]),
    channels.addChildren([channel, channelDocument]),
    history.addChildren([pastMessage]),
    notifications.addChildren([notification]),
    trash.addChildren([trashed]),
    settings.addChildren([settingsSection]),
  ]),
  defaultPreload: false,
  // No parameter is an object or a list, so such values are dropped before a screen sees them. `store` is dropped too:
  // it belongs to the page and is in every URL.
  parseSearch: (words) =>
    Object.fromEntries(
      Object.entries(defaultParseSearch(words)).filter(
        ([name, value]) => typeof value !== 'object' && name !== 'store',
      ),
    ),
  stringifySearch: (search) => addressOf(defaultStringifySearch(search)),
  defaultErrorComponent: ErrorFallback,
  defaultNotFoundComponent: NoSuchPage,
  notFoundMode: 'root',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
