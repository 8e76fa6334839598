import type { LucideIcon } from 'lucide-react'
import type { RequestStatus } from '../../../core/requests/request-status.ts'
import { type Hue, STATUSES } from '../status/request-status.ts'

type SignProps = { icon: LucideIcon; hue: Hue; word: string }

/** A state is never shown by its color alone. */
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

export function Version({ revision }: { revision: number }) {
  return <span className="quiet round-chip edge px-3 micro">{`v${revision}`}</span>
}
