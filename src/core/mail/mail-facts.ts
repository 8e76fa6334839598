// The facts of a message that names its recipients, such as mail and replies to pushes.

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
  /** The recipients the address was resolved to when the message was sent. */
  recipients: listOf(RECIPIENT, 0),
  expires_at: nullOr(INSTANT),
  /** For imported mail that had already been read: the evidence that it was. */
  read_by: absentOr(choice(EVIDENCE)),
  /** For imported mail that never reached anyone: how it ended. */
  ended: absentOr(choice(['bounced', 'expired'])),
  /** For imported mail: when it was written. */
  written_at: absentOr(INSTANT),
  /** For imported mail: who imported it. Absent in older logs. */
  imported_by: absentOr(NAME),
}

export type MailFacts = ShapeValues<typeof MAIL_SHAPES>
