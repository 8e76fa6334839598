// The screens other than the inbox, loaded together when the first of them is opened.

// biome-ignore-all lint/performance/noBarrelFile: this is what the browser loads as one

export { AgentsScreen } from './screens/agents/screen.tsx'
export { ApprovalsScreen } from './screens/approvals/screen.tsx'
export { ChannelsScreen } from './screens/channels/screen.tsx'
export { HistoryScreen } from './screens/history/screen.tsx'
export { NotificationsScreen } from './screens/notifications/screen.tsx'
export { SettingsScreen } from './screens/settings/screen.tsx'
export { ThreadsScreen } from './screens/threads/screen.tsx'
export { TrashScreen } from './screens/trash/screen.tsx'
