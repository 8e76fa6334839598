// What every operation answers. Beside its own, an answer may hold what everybody is told: TOLD.

import { KEEPING } from './answers-keeping.ts'
import { MAILBOX } from './answers-mail.ts'
import { PUSHES } from './answers-push.ts'
import { WORK } from './answers-work.ts'
import {
  type Answers,
  type Holds,
  type HoldsOf,
  maybe,
  record,
  text,
  type Value,
} from './kit/answer.ts'
import type { Stop, Told } from './stop.ts'

export const TOLD: HoldsOf<Told> = {
  stop: maybe(
    record<Stop>('stop', 'somebody tells you to stop: again with every answer until you read it', {
      id: text('the message, to mark as read'),
      from: text('who says so'),
      subject: text('what is said'),
      thread_id: text('its thread'),
    }),
  ),
  warning: maybe(text('what went wrong beside it')),
}

export const ANSWERS: Answers = { ...WORK, ...MAILBOX, ...PUSHES, ...KEEPING }

/** Every record of every answer, once, in the order in which answers come upon them. */
export function everyRecord(): Map<string, Holds> {
  const found = new Map<string, Holds>()
  const visit = ({ of, record }: Value): void => {
    if (of !== undefined) visit(of)
    if (record === undefined || found.has(record.name)) return
    found.set(record.name, record.holds)
    for (const value of Object.values(record.holds)) visit(value)
  }
  for (const holds of [...Object.values(ANSWERS), TOLD]) {
    for (const value of Object.values(holds as Holds)) visit(value)
  }
  return found
}
