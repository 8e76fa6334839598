// Threads, as people see them.

import type { EventView } from '../../core/event.ts'
import type { Thread } from '../../core/threads/thread.ts'
import { drawNotWoken, drawThreads, statusInk, threadCells } from '../inbox/drawing.ts'
import type { NotWoken } from '../inbox/not-woken.ts'
import type { LeaseGrant, LeaseView, MessageView } from '../inbox/view.ts'
import { goOn, idIn, nothingFor, type Page } from '../kit/drawing/page.ts'
import { broken, words } from '../kit/drawing/quoted.ts'
import { type Cell, oneLine, relative, table } from '../kit/drawing/text.ts'
import type { FetchedThread } from './fetch.ts'

export function drawList(
  { threads, next_before }: { threads: Thread[]; next_before: string | null },
  page: Page,
): string {
  if (threads.length === 0) return 'no threads\n'
  return drawThreads(threads, page) + goOn(page, 'before', next_before)
}

export function drawFetched(
  { threads, has_more }: { threads: FetchedThread[]; has_more: boolean },
  page: Page,
): string {
  if (threads.length === 0) return nothingFor('nothing to claim', page)
  const { ink, terminal } = page
  const rows = threads.map((thread): Cell[] => [
    { text: thread.lease?.live ? 'held' : '', ink: ink.dim },
    ...threadCells(thread, page),
  ])
  return table(rows, terminal.columns) + (has_more ? ink.dim('and more\n') : '')
}

export function drawThread(answer: { thread: Thread } & NotWoken, page: Page): string {
  return drawThreads([answer.thread], page) + drawNotWoken(answer, page)
}

export function drawClaim(
  result: { thread: Thread | null; lease: LeaseGrant | null; message?: MessageView | null },
  page: Page,
): string {
  const { thread, lease, message } = result
  if (thread === null || lease === null) return nothingFor('nothing to claim', page)
  // Programs name the lease; a person who holds it is known by name.
  const which = page.terminal.isTty ? '' : ` ${lease.lease_token}, generation ${lease.generation},`
  const until = `lease${which} lapses ${relative(lease.expires_at, page.now)}\n`
  const asked = message ? drawMessage(message, page) : ''
  return drawThread({ thread }, page) + page.ink.dim(until) + asked
}

function drawMessage(message: MessageView, page: Page): string {
  const { ink, now } = page
  const { imported_by: by } = message
  const brought = by === undefined ? '' : ink.yellow(`  imported by ${by}`)
  const head = `${ink.bold(message.kind)}  ${message.from_agent} → ${message.to_agent}  ${ink.dim(`${relative(message.created_at, now)}  ${idIn(message.message_id, page)}`)}${brought}
`
  const parts = [message.summary]
  if (message.body !== '' && message.body !== message.summary) parts.push(message.body)
  const payload = JSON.stringify(message.payload_json)
  // The length of a lease is in the message for programs; people see above when it lapses.
  const isLength =
    page.terminal.isTty && message.kind === 'event' && /^{"lease_seconds":\d+}$/.test(payload)
  if (payload !== '{}' && !isLength) parts.push(payload)
  for (const { kind, path } of message.artifacts) parts.push(`${kind}: ${path}`)
  return `${head}${words(parts.join('\n'), page)}\n`
}

export function drawShow(
  result: {
    thread: Thread
    lease: LeaseView | null
    messages: MessageView[]
    next_after: number | null
  },
  page: Page,
): string {
  const { thread, lease, messages } = result
  const { ink, now } = page
  const facts: Cell[][] = [
    [{ text: 'status' }, { text: thread.status, ink: statusInk(thread.status, ink) }],
    [
      { text: 'from' },
      {
        text:
          thread.assigned_to === ''
            ? thread.created_by
            : `${thread.created_by}, for ${thread.assigned_to}`,
      },
    ],
    [{ text: 'priority' }, { text: thread.priority }],
    ...(thread.run_id === '' ? [] : [[{ text: 'run' }, { text: oneLine(thread.run_id) }]]),
    ...(thread.task_id === '' ? [] : [[{ text: 'task' }, { text: oneLine(thread.task_id) }]]),
    ...(lease === null
      ? []
      : [
          [
            { text: 'lease' },
            {
              text: `${lease.agent}, ${lease.live ? 'lapses' : 'lapsed'} ${relative(lease.expires_at, now)}`,
            },
          ],
        ]),
  ]
  const title = titleOf(thread, page)
  const body = messages.map((message) => drawMessage(message, page)).join('\n')
  const more = goOn(page, 'after', result.next_after)
  return `${title}${table(facts, page.terminal.columns)}\n${body}${more}`
}

/** The subject and the id; on a terminal that is too narrow for both, below each other. */
function titleOf({ subject, thread_id }: Thread, page: Page): string {
  const { ink, terminal } = page
  const [words, id] = [oneLine(subject), idIn(thread_id, page)]
  if (!terminal.isTty || words.length + id.length + 2 <= terminal.columns) {
    return `${ink.bold(words)}  ${ink.dim(id)}\n`
  }
  const lines = broken(words, terminal.columns).map((line) => ink.bold(line))
  return `${[...lines, ink.dim(id)].join('\n')}\n`
}

export function drawWatch(
  { woke, events }: { woke: boolean; events: EventView[] },
  page: Page,
): string {
  const { ink, now, terminal } = page
  if (!woke) return 'nothing happened\n'
  const rows = events.map((event): Cell[] => [
    { text: String(event.event_id), ink: ink.dim },
    { text: event.event_type.replace('thread_', '') },
    { text: idIn(event.thread_id, page) },
    event.status === '' ? { text: '' } : { text: event.status, ink: statusInk(event.status, ink) },
    { text: event.agent },
    { text: relative(event.created_at, now), ink: ink.dim },
    { text: oneLine(event.summary) },
  ])
  return table(rows, terminal.columns)
}

export function drawReply(
  { message }: { message: MessageView | null; next_event_id: number },
  page: Page,
): string {
  return message === null ? 'no reply yet\n' : drawMessage(message, page)
}
