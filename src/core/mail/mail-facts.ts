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
  /** Whom the address was resolved to, once and for all. */
  recipients: string[]
  expires_at: Instant | null
  /** Of mail that came from elsewhere and had been read there: by what that is known. */
  read_by?: string
  /** Of mail that came from elsewhere and never reached anybody there: what had become of it. */
  ended?: 'bounced' | 'expired'
  /** Of mail that came from elsewhere: when it was written there. */
  written_at?: Instant
  /** Of mail that came from elsewhere: who brought it in. Older logs do not say. */
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
