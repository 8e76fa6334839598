// The screens, in the order of the rail. A screen is one entry here and a route.

import { Inbox, type LucideIcon, Stamp } from 'lucide-react'

export type Screen = {
  title: string
  to: '/inbox' | '/approvals'
  icon: LucideIcon
  /** The key after g that leads there. */
  key: string
}

export const SCREENS: readonly Screen[] = [
  { title: 'Inbox', to: '/inbox', icon: Inbox, key: 'i' },
  { title: 'Approvals', to: '/approvals', icon: Stamp, key: 'a' },
]
