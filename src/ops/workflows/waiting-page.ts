// The inbox of an agent of a workflow: its mentions, and its other mail, in the form of entries.

import type { Instance } from '../../core/workflows/instance.ts'
import type { Inbox } from '../inbox/inbox.ts'
import { aList, aNumber, CURSOR, fieldsOf, MORE } from '../kit/answer.ts'
import { byDefault, int } from '../kit/field.ts'
import { WAITING, type WaitingMessage, waitingOf } from './entry-view.ts'

export type WaitingPage = Omit<Inbox, 'messages'> & { messages: WaitingMessage[] }

export const WAITING_PAGE = fieldsOf<WaitingPage>({
  messages: aList(WAITING, 'oldest first'),
  unread: aNumber('how many messages are unread'),
  next_event_id: CURSOR,
  has_more: MORE,
})

export const WAITING_LIMIT = byDefault(int('how many at most', { min: 1, max: 500 }), 50)

export function waitingPage<I extends Inbox>(
  { messages, ...rest }: I,
  instance: Instance,
): Omit<I, 'messages'> & { messages: WaitingMessage[] } {
  return { ...rest, messages: messages.map((one) => waitingOf(one, instance)) }
}
