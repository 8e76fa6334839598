// The facts of a message that names its recipients, as mail and replies to pushes do.

import {
  absentOr,
  choice,
  INSTANT,
  listOf,
  NAME,
  nullOr,
  RECIPIENT,
  type Shapes,
} from '../fact-shape.ts'
import { EVIDENCE } from '../inbox/delivery.ts'
import type { Instant } from '../time.ts'

export type MailFacts = {
  /** The recipients that the address was resolved to, once and for all. */
  recipients: string[]
  expires_at: Instant | null
  /** Imported mail that had been read: the evidence for that. */
  read_by?: string
  /** Imported mail that never reached anybody: what had become of it. */
  ended?: 'bounced' | 'expired'
  /** Imported mail: when it was written. */
  written_at?: Instant
  /** Imported mail: who brought it in. Older logs do not have it. */
  imported_by?: string
}

export const MAIL_SHAPES: Shapes<MailFacts> = {
  recipients: listOf(RECIPIENT, 0),
  expires_at: nullOr(INSTANT),
  read_by: absentOr(choice(EVIDENCE)),
  ended: absentOr(choice(['bounced', 'expired'])),
  written_at: absentOr(INSTANT),
  imported_by: absentOr(NAME),
}
