import { isPerson } from '../../core/agents/agent.ts'
import type { EventView } from '../../core/event.ts'
import type { ThreadStatus } from '../../core/kinds.ts'
import type { Thread } from '../../core/threads/thread.ts'
import { MOST_COUNTED } from '../../core/threads/thread-reads.ts'
import { drawNotWoken, statusInk, THREAD_COLUMNS } from '../inbox/drawing.ts'
import type { NotWoken } from '../inbox/not-woken.ts'
import type { LeaseGrant, LeaseView, MessageView } from '../inbox/view.ts'
import {
  ago,
  bold,
  dim,
  drawTable,
  extra,
  id,
  inInk,
  type ListColumn,
} from '../kit/drawing/columns.ts'
import { describeSince, facts, goOn, idIn, nothingFor, type Page } from '../kit/drawing/page.ts'
import { breakLine, drawQuoted } from '../kit/drawing/quoted.ts'
import { count, elapsed, oneLine, relative } from '../kit/drawing/text.ts'
import type { FetchedThread } from './fetch.ts'
import type { OwnDemand, Status } from './status.ts'

export function drawList(
  { threads, next_before }: { threads: Thread[]; next_before: string | null },
  page: Page,
): string {
  return drawTable(threads, THREAD_COLUMNS, page, 'no threads') + goOn(page, 'before', next_before)
}

export function drawFetched(
  { threads, has_more }: { threads: FetchedThread[]; has_more: boolean },
  page: Page,
): string {
  if (threads.length === 0) return nothingFor('nothing to claim', page)
  const held = dim(({ lease }: FetchedThread) => (lease?.live ? 'held' : ''))
  const more = has_more ? page.ink.dim('and more\n') : ''
  return drawTable(threads, [held, ...THREAD_COLUMNS], page) + more
}

export function drawThread(answer: { thread: Thread } & NotWoken, page: Page): string {
  return drawTable([answer.thread], THREAD_COLUMNS, page) + drawNotWoken(answer, page)
}

export function drawClaim(
  result: { thread: Thread | null; lease: LeaseGrant | null; message?: MessageView | null },
  page: Page,
): string {
  const { thread, lease, message } = result
  if (thread === null || lease === null) return nothingFor('nothing to claim', page)
  // Programs need the lease's token; a person who holds the lease is identified by name.
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
  // The lease's length in the message is for programs. People already see above when the lease lapses.
  const isLength =
    page.terminal.isTty && message.kind === 'event' && /^{"lease_seconds":\d+}$/.test(payload)
  if (payload !== '{}' && !isLength) parts.push(payload)
  for (const { kind, path } of message.artifacts) parts.push(`${kind}: ${path}`)
  return `${head}${drawQuoted(parts.join('\n'), page)}\n`
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
  const { status, created_by: by, assigned_to: assignee, priority, run_id, task_id } = thread
  const { ink } = page
  const head = facts(
    [
      ['status', { text: status, ink: ink[statusInk(thread)] }],
      ['from', assignee === '' ? by : `${by}, for ${assignee}`],
      ['priority', priority],
      ['run', oneLine(run_id)],
      ['task', oneLine(task_id)],
      ['lease', lease === null ? '' : `${lease.agent}, ${lapseOf(lease, page)}`],
    ],
    page,
  )
  const body = messages.map((message) => drawMessage(message, page)).join('\n')
  const more = goOn(page, 'after', result.next_after)
  return `${titleOf(thread, page)}${head}\n${body}${more}`
}

function lapseOf({ live, expires_at }: LeaseView, { now }: Page): string {
  return `${live ? 'lapses' : 'lapsed'} ${relative(expires_at, now)}`
}

/** The subject and the id, on separate lines if the terminal is too narrow for both. */
function titleOf({ subject, thread_id }: Thread, page: Page): string {
  const { ink, terminal } = page
  const [words, id] = [oneLine(subject), idIn(thread_id, page)]
  if (!terminal.isTty || words.length + id.length + 2 <= terminal.columns) {
    return `${ink.bold(words)}  ${ink.dim(id)}\n`
  }
  const lines = breakLine(words, terminal.columns).map((line) => ink.bold(line))
  return `${[...lines, ink.dim(id)].join('\n')}\n`
}

export function drawWatch(
  { woke, events }: { woke: boolean; events: EventView[] },
  page: Page,
): string {
  if (!woke) return 'nothing happened\n'
  const columns: ListColumn<EventView>[] = [
    dim(({ event_id }) => `${event_id}`),
    ({ event_type }) => event_type.replace('thread_', ''),
    id('thread_id'),
    inInk('status', ({ status }) => (status === '' ? 'dim' : statusInk({ status }))),
    'agent',
    dim(ago('created_at')),
    'summary',
  ]
  return drawTable(events, columns, page)
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

function section<R>(title: string, rows: R[], columns: ListColumn<R>[], page: Page): string {
  return rows.length === 0 ? '' : `${page.ink.bold(title)}\n${drawTable(rows, columns, page)}`
}

function wanted({ you }: Status, page: Page): string {
  const { ink } = page
  const wants = you?.wants ?? []
  const columns: ListColumn<OwnDemand>[] = [
    id('thread_id'),
    inInk('what', 'yellow'),
    'from',
    extra(dim(ago('at'))),
    inInk(({ expires_at }, page) => describeSince('expires', expires_at, page), 'red'),
    'title',
  ]
  const more = you?.wants_more ? ink.dim('and more: inbox desk list --needs-you\n') : ''
  if (wants.length === 0) return more
  const lines = drawTable(wants, columns, page).trimEnd().split('\n')
  const both = lines.map((line, at) => `${line}\n${ink.dim(`  ${typed(wants[at], page)}`)}\n`)
  return `${ink.bold('needs you')}\n${both.join('')}${more}`
}

/** The command that responds to the demand, on a separate line so that no title cuts it off. */
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
  const others = blocked.filter(({ thread }) => !own.has(thread.thread_id))
  const columns: ListColumn<(typeof others)[number]>[] = [
    ({ thread }) => idIn(thread.thread_id, page),
    ({ thread }) => `${thread.assigned_to} asks ${thread.created_by}`,
    extra(dim(ago('asked_at'))),
    'question',
  ]
  return section('waiting for an answer', others, columns, page)
}

function waitingRequests({ waiting_requests, you }: Status, page: Page): string {
  const own = new Set(you?.wants.map(({ thread_id }) => thread_id))
  const others = waiting_requests.filter(({ request_id }) => !own.has(request_id))
  const columns: ListColumn<(typeof others)[number]>[] = [
    id('request_id'),
    'requester',
    dim(ago('created_at')),
    'title',
  ]
  return section('requests that have waited for a week', others, columns, page)
}

function atWork({ leases }: Status, page: Page): string {
  const columns: ListColumn<(typeof leases)[number]>[] = [
    ({ thread }) => idIn(thread.thread_id, page),
    'agent',
    extra(dim(({ claimed_at }) => elapsed(claimed_at, page.now))),
    inInk((lease) => (lease.live ? '' : lapseOf(lease, page)), 'red'),
    ({ thread }) => thread.subject,
  ]
  return section('at work', leases, columns, page)
}

function leftLying({ pending }: Status, page: Page): string {
  const columns: ListColumn<Thread>[] = [
    id('thread_id'),
    ({ assigned_to }) => `for ${assigned_to}`,
    bold(({ priority }) => (priority === 'normal' ? '' : priority)),
    extra(dim(ago('updated_at'))),
    'subject',
  ]
  return section('not claimed yet', pending, columns, page)
}

/** The nonzero thread counts on one line, then unread mail and the store. */
function footer({ you, counts, store, next_event_id }: Status, { ink }: Page): string {
  const threads = Object.entries(counts.threads)
    .filter(([, n]) => n > 0)
    .map(([status, n]) => {
      const many = n >= MOST_COUNTED ? `${n} or more` : `${n}`
      return ink[statusInk({ status: status as ThreadStatus })](
        `${many} ${status.replace('_', ' ')}`,
      )
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
