// The screens, in the order of the rail. Each screen needs one entry here and a route.

import {
  Bell,
  Bot,
  Hash,
  History,
  Inbox,
  type LucideIcon,
  MessagesSquare,
  Settings2,
  Stamp,
  Trash2,
} from 'lucide-react'

export type Screen = {
  title: string
  to:
    | '/inbox'
    | '/approvals'
    | '/threads'
    | '/channels'
    | '/agents'
    | '/history'
    | '/trash'
    | '/notifications'
    | '/settings'
  icon: LucideIcon
  /** The key that opens it when pressed after G. */
  key: string
  isAtFoot?: true
  /** Shown in the bar on a phone. The other screens are behind More. */
  isOnPhone?: true
}

export const SCREENS: readonly Screen[] = [
  { title: 'Inbox', to: '/inbox', icon: Inbox, key: 'i', isOnPhone: true },
  { title: 'Approvals', to: '/approvals', icon: Stamp, key: 'a', isOnPhone: true },
  { title: 'Threads', to: '/threads', icon: MessagesSquare, key: 't', isOnPhone: true },
  { title: 'Channels', to: '/channels', icon: Hash, key: 'c' },
  { title: 'Agents', to: '/agents', icon: Bot, key: 'w', isOnPhone: true },
  { title: 'History', to: '/history', icon: History, key: 'h' },
  { title: 'Trash', to: '/trash', icon: Trash2, key: 'x' },
  { title: 'Notifications', to: '/notifications', icon: Bell, key: 'n', isAtFoot: true },
  { title: 'Settings', to: '/settings', icon: Settings2, key: 's', isAtFoot: true },
]
