// The screens, in the order of the rail. A screen is one entry here and a route.

import { Bot, Inbox, type LucideIcon, MessagesSquare, Settings2, Stamp, Trash2 } from 'lucide-react'

export type Screen = {
  title: string
  to: '/inbox' | '/approvals' | '/threads' | '/agents' | '/trash' | '/settings'
  icon: LucideIcon
  /** The key after g that leads there. */
  key: string
}

export const SCREENS: readonly Screen[] = [
  { title: 'Inbox', to: '/inbox', icon: Inbox, key: 'i' },
  { title: 'Approvals', to: '/approvals', icon: Stamp, key: 'a' },
  { title: 'Threads', to: '/threads', icon: MessagesSquare, key: 't' },
  { title: 'Agents', to: '/agents', icon: Bot, key: 'w' },
  { title: 'Trash', to: '/trash', icon: Trash2, key: 'x' },
  { title: 'Settings', to: '/settings', icon: Settings2, key: 's' },
]
