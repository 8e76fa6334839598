import { type ChannelEntry, nameIn, notesOf } from '../../core/workflows/channel.ts'
import type { Instance } from '../../core/workflows/instance.ts'
import { type EntryPriority, priorityOf } from '../../core/workflows/mentions.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { InboxMessage } from '../inbox/mail-view.ts'
import {
  aFlag,
  aList,
  aNumber,
  aRow,
  aText,
  CURSOR,
  fieldsOf,
  MORE,
  orNull,
} from '../kit/answer.ts'
import { byDefault, int } from '../kit/field.ts'

/** A mention or other mail that waits for an agent, in the form of an entry. */
export type WaitingEntry = Omit<ChannelEntry, 'seq'> & {
  /** `custom` for an entry of the channel; otherwise the mail's type. */
  type: string
  thread_id: string
}
export type WaitingMessage = { entry: WaitingEntry; unread: boolean; priority: EntryPriority }

export function waitingOf(
  message: InboxMessage,
  { instance, thread_id }: Pick<Instance, 'instance' | 'thread_id'>,
): WaitingMessage {
  const { id, type, created_at, in_reply_to = null, metadata } = message
  const isEntry = message.thread_id === thread_id
  const text = isEntry ? message.body : letterText(message)
  const notes = isEntry ? notesOf(metadata) : { mentions: [], priority: priorityOf(text, []) }
  const entry = {
    id,
    timestamp: created_at,
    from: nameIn(message.from.replace(/^agent:/, ''), instance),
    message: text,
    mentions: notes.mentions,
    reply_to: in_reply_to,
    type,
    thread_id: message.thread_id,
  }
  return { entry, unread: !message.read, priority: notes.priority }
}

function letterText({ subject, body }: InboxMessage): string {
  if (body === '' || subject === '') return body || subject
  return body.trimStart().startsWith(subject.replace(/…$/, '')) ? body : `${subject}\n\n${body}`
}

const ENTRY_HOLDS = fieldsOf<Omit<ChannelEntry, 'seq'>>({
  id: aText("the message's id"),
  timestamp: aText('when it was written'),
  from: aText("a member's name, user or another person, or system"),
  message: aText('what was said'),
  mentions: aList(aText('a name'), 'the names it mentions'),
  reply_to: orNull(aText('the entry it answers')),
})

export const ENTRY = aRow<ChannelEntry>('channel entry', 'one entry of a channel', {
  ...ENTRY_HOLDS,
  seq: aNumber('its place in the channel, from 1'),
})

export const WAITING = aRow<WaitingMessage>('waiting message', 'a mention, or other mail', {
  entry: aRow<WaitingEntry>('waiting entry', 'what was said', {
    ...ENTRY_HOLDS,
    type: aText('custom for an entry of the channel; the type of other mail'),
    thread_id: aText('its thread'),
  }),
  unread: aFlag('whether it is unread'),
  priority: aText('high if the entry has several mentions or an urgent word, otherwise normal'),
})

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
