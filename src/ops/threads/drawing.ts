// Threads, as people see them.

import { isPerson } from '../../core/agents/agent.ts'
import type { EventView } from '../../core/event.ts'
import type { ThreadStatus } from '../../core/kinds.ts'
import type { Thread } from '../../core/threads/thread.ts'
import { MOST_COUNTED } from '../../core/threads/thread-reads.ts'
import { drawNotWoken, drawThreads, statusInk, threadCells } from '../inbox/drawing.ts'
import type { NotWoken } from '../inbox/not-woken.ts'
import type { LeaseGrant, LeaseView, MessageView } from '../inbox/view.ts'
import { goOn, idIn, nothingFor, type Page } from '../kit/drawing/page.ts'
import { broken, words } from '../kit/drawing/quoted.ts'
import { type Cell, count, elapsed, oneLine, relative, table } from '../kit/drawing/text.ts'
import type { FetchedThread } from './fetch.ts'
import type { OwnDemand, Status } from './status.ts'

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

export function drawStatus(status: Status, page: Page): string {
  const sections = [
    wanted(status, page),
    questions(status, page),
    waitingRequests(status, page),
    atWork(status, page),
    leftLying(status, page),
  ].filter((section) => section !== '')
  const quiet = 'nothing is going on; hand out work with: inbox send NAME "what to do"\n'
  const parts = sections.length === 0 ? [quiet] : sections
  return [...parts, footer(status, page)].join('\n')
}

function section(title: string, rows: Cell[][], { ink, terminal }: Page): string {
  return rows.length === 0 ? '' : `${ink.bold(title)}\n${table(rows, terminal.columns)}`
}

function wanted({ you }: Status, page: Page): string {
  const { ink, now } = page
  const wants = you?.wants ?? []
  const rows = wants.map((one): Cell[] => [
    { text: idIn(one.thread_id, page) },
    { text: one.what, ink: ink.yellow },
    { text: one.from },
    { text: relative(one.at, now), ink: ink.dim, extra: page.terminal.isTty },
    {
      text: one.expires_at === null ? '' : `expires ${relative(one.expires_at, now)}`,
      ink: ink.red,
    },
    { text: oneLine(one.title) },
  ])
  const more = you?.wants_more ? ink.dim('and more: inbox desk list --needs-you\n') : ''
  if (rows.length === 0) return more
  const lines = table(rows, page.terminal.columns).trimEnd().split('\n')
  const both = lines.map((line, at) => `${line}\n${ink.dim(`  ${typed(wants[at], page)}`)}\n`)
  return `${ink.bold('needs you')}\n${both.join('')}${more}`
}

/** The command that gives what is wanted. It has a line of its own, so that no title cuts it off. */
function typed(one: OwnDemand | undefined, page: Page): string {
  if (one === undefined) return ''
  const id = idIn(one.thread_id, page)
  if (one.what === 'question') return `inbox reply ${id} "…"`
  return one.request_type === 'question'
    ? `inbox approve ${id} --answer "…"`
    : `inbox approve ${id}`
}

function questions({ blocked, you }: Status, page: Page): string {
  const own = new Set(you?.wants.map(({ thread_id }) => thread_id))
  const rows = blocked
    .filter(({ thread }) => !own.has(thread.thread_id))
    .map(({ thread, question, asked_at }): Cell[] => [
      { text: idIn(thread.thread_id, page) },
      { text: `${thread.assigned_to} asks ${thread.created_by}` },
      { text: relative(asked_at, page.now), ink: page.ink.dim, extra: page.terminal.isTty },
      { text: oneLine(question) },
    ])
  return section('waiting for an answer', rows, page)
}

function waitingRequests({ waiting_requests, you }: Status, page: Page): string {
  const own = new Set(you?.wants.map(({ thread_id }) => thread_id))
  const rows = waiting_requests
    .filter(({ request_id }) => !own.has(request_id))
    .map(({ request_id, requester, created_at, title }): Cell[] => [
      { text: idIn(request_id, page) },
      { text: requester },
      { text: relative(created_at, page.now), ink: page.ink.dim },
      { text: oneLine(title) },
    ])
  return section('requests that have waited for a week', rows, page)
}

function atWork({ leases }: Status, page: Page): string {
  const { ink, now } = page
  const rows = leases.map((lease): Cell[] => [
    { text: idIn(lease.thread.thread_id, page) },
    { text: lease.agent },
    {
      text: elapsed(lease.claimed_at, now),
      ink: ink.dim,
      extra: page.terminal.isTty,
    },
    lease.live ? { text: '' } : { text: `lapsed ${relative(lease.expires_at, now)}`, ink: ink.red },
    { text: oneLine(lease.thread.subject) },
  ])
  return section('at work', rows, page)
}

function leftLying({ pending }: Status, page: Page): string {
  const { ink, now } = page
  const rows = pending.map((thread): Cell[] => [
    { text: idIn(thread.thread_id, page) },
    { text: `for ${thread.assigned_to}` },
    { text: thread.priority === 'normal' ? '' : thread.priority, ink: ink.bold },
    { text: relative(thread.updated_at, now), ink: ink.dim, extra: page.terminal.isTty },
    { text: oneLine(thread.subject) },
  ])
  return section('not claimed yet', rows, page)
}

/** One line of counts, without the zeros; the mail; and where all of this is. */
function footer({ you, counts, store, next_event_id }: Status, { ink }: Page): string {
  const threads = Object.entries(counts.threads)
    .filter(([, n]) => n > 0)
    .map(([status, n]) => {
      const many = n >= MOST_COUNTED ? `${n} or more` : `${n}`
      return statusInk(status as ThreadStatus, ink)(`${many} ${status.replace('_', ' ')}`)
    })
  const lines = threads.length === 0 ? [] : [threads.join(', ')]
  if (you !== null && you.unread > 0) {
    const isTheirs = isPerson(you.name)
    const what = isTheirs ? 'inbox desk list --unread' : 'inbox mail read'
    lines.push(
      `${count(you.unread, isTheirs ? 'unread thread' : 'unread message')} for ${you.name}: ${what}`,
    )
  }
  return `${[...lines, ink.dim(`${store}, event ${next_event_id}`)].join('\n')}\n`
}
