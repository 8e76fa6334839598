// The facts of a message that names its recipients, as mail and replies to pushes do.

import { EVIDENCE } from '../inbox/delivery.ts'
import {
  absentOr,
  choice,
  INSTANT,
  listOf,
  NAME,
  nullOr,
  RECIPIENT,
  type ShapeValues,
} from '../shape.ts'

export const MAIL_SHAPES = {
  /** The recipients that the address was resolved to when the message was sent. */
  recipients: listOf(RECIPIENT, 0),
  expires_at: nullOr(INSTANT),
  /** Imported mail that had been read: the evidence for that. */
  read_by: absentOr(choice(EVIDENCE)),
  /** Imported mail that never reached anyone: what became of it. */
  ended: absentOr(choice(['bounced', 'expired'])),
  /** Imported mail: when it was written. */
  written_at: absentOr(INSTANT),
  /** Imported mail: who imported it. Older logs do not have it. */
  imported_by: absentOr(NAME),
}

export type MailFacts = ShapeValues<typeof MAIL_SHAPES>
