// How the page shows the status of a request. Requests and work link to each other, so both of them import this.

import {
  Ban,
  CircleCheck,
  CircleX,
  ClockFading,
  Hourglass,
  type LucideIcon,
  Undo2,
} from 'lucide-react'
import type { RequestStatus } from '../../../core/requests/request-status.ts'

export type Hue = 'amber' | 'green' | 'red' | 'violet' | 'teal' | 'quiet'

export const STATUSES: Record<RequestStatus, { word: string; icon: LucideIcon; hue: Hue }> = {
  pending: { word: 'Pending', icon: ClockFading, hue: 'amber' },
  revision_requested: { word: 'Revision requested', icon: Undo2, hue: 'violet' },
  approved: { word: 'Approved', icon: CircleCheck, hue: 'green' },
  rejected: { word: 'Rejected', icon: CircleX, hue: 'red' },
  cancelled: { word: 'Canceled', icon: Ban, hue: 'quiet' },
  expired: { word: 'Expired', icon: Hourglass, hue: 'quiet' },
}

type SignProps = { icon: LucideIcon; hue: Hue; word: string }

/** A state is never shown by color alone. */
export function Sign({ icon: Icon, hue, word }: SignProps) {
  return (
    <span className={`inline-row gap-3 nowrap ${hue}`}>
      <Icon size={14} aria-hidden />
      {word}
    </span>
  )
}

export function Status({ status }: { status: RequestStatus }) {
  return <Sign {...STATUSES[status]} />
}
