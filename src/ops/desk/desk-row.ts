import type { DeskItem } from '../../core/desk/desk-reads.ts'
import { type AnswerRecord, aFlag, aNumber, aRecord, aText, maybe, orNull } from '../kit/answer.ts'

const WHATS = ['push', 'notification', 'request', 'question', 'mail', 'work'] as const
type What = (typeof WHATS)[number]

export const DESK_ROW = aRecord('row of a desk', 'a thread', {
  thread_id: aText('the thread: an entry, a request or mail'),
  what: aText<What>(`${WHATS.slice(0, -1).join(', ')} or ${WHATS.at(-1)}`),
  title: aText('what it is about'),
  from: aText('who began it'),
  latest_from: aText('who wrote last'),
  preview: aText('the start of the latest message, without Markdown'),
  at: aText('when that came'),
  unread: aNumber('how many messages in it are unread'),
  documents: aNumber('how many documents it refers to'),
  workspace_id: aText('the workspace of a push, or empty'),
  workspace_label: aText('its name, or empty'),
  event_id: aNumber('its place in the list'),
  needs_you: aFlag('whether the person has something to decide or answer in it'),
  expires_at: orNull(aText('when a request expires')),
  risk: orNull(aText('of a request: low, medium, high or critical, if given')),
  request_type: orNull(aText('of a request: its type')),
  snoozed_until: orNull(aText('until when it is snoozed, if it comes back at a set time')),
  woken: aFlag('whether it came back from a snooze and has not been read since'),
  imported_by: maybe(aText('who imported the latest message, if it came from a file')),
})

export type DeskRow = AnswerRecord<typeof DESK_ROW>

export function viewRow(item: DeskItem): DeskRow {
  const { thread_id, created_by, from_agent, preview, queued_at, unread, documents } = item
  const { workspace_id, workspace_label, event_id, imported_by } = item
  return {
    thread_id,
    what: whatOf(item),
    title: item.subject === '' ? item.summary : item.subject,
    from: created_by,
    latest_from: from_agent,
    preview: plain(
      preview.startsWith(item.subject) ? preview.slice(item.subject.length).trim() : preview,
    ),
    at: queued_at,
    unread,
    documents,
    workspace_id: workspace_id ?? '',
    workspace_label: workspace_label ?? '',
    event_id,
    needs_you: item.needs !== '',
    expires_at: item.wanted_by,
    risk: item.risk,
    request_type: item.request_type,
    snoozed_until: item.snoozed_until,
    woken: item.woken,
    ...(imported_by === null ? {} : { imported_by }),
  }
}

/** A row is one line of plain text, where Markdown's marks would show literally. */
function plain(words: string): string {
  return words
    .replace(/^#{1,6} /gm, '')
    .replace(/\*\*(\S[^*]*)\*\*/g, '$1')
    .replace(/`([^`]+)`/g, '$1')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
}

function whatOf({ thread_kind, form, message_kind }: DeskItem): What {
  if (thread_kind === 'push') return form ?? 'push'
  if (thread_kind === 'request') return 'request'
  if (message_kind === 'question') return 'question'
  return thread_kind === 'mail' ? 'mail' : 'work'
}
