// The fields that answers have beside those of their operations, and the list of all records in answers.

import { type AnswerValue, aRow, aText, fieldsOf, type Holds, maybe } from './kit/answer.ts'
import type { Operation } from './kit/operation.ts'
import type { AnswerNotes, Stop } from './stop.ts'

/** Any answer may carry these beside its own. */
export const ANSWER_NOTES = fieldsOf<AnswerNotes>({
  stop: maybe(
    aRow<Stop>('stop', 'somebody tells you to stop: again with every answer until you read it', {
      id: aText('the message, to mark as read'),
      from: aText('who says so'),
      subject: aText('what is said'),
      thread_id: aText('its thread'),
      about: aText('agent: all that you do; thread: this thread alone, which was cancelled'),
      until: aText('what ends it'),
    }),
  ),
  warning: maybe(aText('a problem that came up beside the answer')),
})

/** Every record in these operations' answers, once, in the order in which answers come upon them. */
export function recordsOf(operations: readonly Operation[]): Map<string, Holds> {
  const found = new Map<string, Holds>()
  const visit = ({ of, record }: AnswerValue): void => {
    if (of !== undefined) visit(of)
    if (record === undefined || found.has(record.name)) return
    found.set(record.name, record.holds)
    for (const value of Object.values(record.holds)) visit(value)
  }
  for (const holds of [...operations.map(({ answer }) => answer), ANSWER_NOTES]) {
    for (const value of Object.values(holds as Holds)) visit(value)
  }
  return found
}
