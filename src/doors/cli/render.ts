// Results for people. Programs use --json; nothing here is an interface.

import type { EventView } from '../../core/event.ts'
import type { ThreadStatus } from '../../core/kinds.ts'
import type { Thread } from '../../core/threads/thread.ts'
import type { OperationName } from '../../ops/catalogue.ts'
import type { LeaseGrant, LeaseView, MessageView } from '../../ops/inbox/view.ts'
import type { Pruning } from '../../ops/keeping/prune.ts'
import type { Result } from '../../ops/kit/answer.ts'
import { goOn, type Page, pageOf } from '../../ops/kit/drawing/page.ts'
import { words } from '../../ops/kit/drawing/quoted.ts'
import {
  type Cell,
  count,
  type Ink,
  oneLine,
  type Palette,
  relative,
  table,
} from '../../ops/kit/drawing/text.ts'
import type { FetchedThread } from '../../ops/threads/fetch.ts'
import type { Status } from '../../ops/threads/status.ts'
import type { Io } from './io.ts'

/** Each group of commands has its own, so that a command of work does not load how mail looks. */
const GROUPS = {
  mail: () => import('./render-mail.ts'),
  agent: () => import('./render-agent.ts'),
  person: () => import('./render-agent.ts'),
  wake: () => import('./render-wake.ts'),
  workspace: () => import('./render-identity.ts'),
  token: () => import('./render-identity.ts'),
  'sign-in': () => import('./render-identity.ts'),
  install: () => import('./render-install.ts'),
  uninstall: () => import('./render-install.ts'),
  hook: () => import('./render-install.ts'),
  push: () => import('./render-push.ts'),
  notify: () => import('./render-push.ts'),
  open: () => import('./render-push.ts'),
  init: () => import('./render-keep.ts'),
  doctor: () => import('./render-keep.ts'),
  backup: () => import('./render-keep.ts'),
  export: () => import('./render-keep.ts'),
  import: () => import('./render-keep.ts'),
  mcp: () => import('./render-keep.ts'),
  serve: () => import('./render-keep.ts'),
}

/** Every operation of these groups, each drawn from what it answers. */
export type Renderers<Group extends string> = {
  [Name in NamesOf<Group>]: (result: Result<Name>, page: Page) => string
}

/** `token` itself, `token issue`, `token list` … */
type NamesOf<Group extends string> = Extract<OperationName, Group | `${Group} ${string}`>

type Ungrouped = Exclude<OperationName, NamesOf<keyof typeof GROUPS>>

export async function render(
  name: string,
  result: object,
  io: Pick<Io, 'terminal' | 'now'>,
): Promise<string> {
  const load = (GROUPS as Record<string, () => Promise<object>>)[name.split(' ')[0] as string]
  const { RENDERERS: own } = (load === undefined ? { RENDERERS } : await load()) as Drawing
  const draw = own[name]
  if (draw === undefined) throw new Error(`nothing draws ${name}`)
  return draw(result as never, pageOf(io))
}

/** As the tables are here, where the operation is known by its name only. */
type Drawing = { RENDERERS: Record<string, (result: never, page: Page) => string> }

const RENDERERS: Renderers<Ungrouped> = {
  send: renderThreadLine,
  update: renderThreadLine,
  reply: renderThreadLine,
  done: renderThreadLine,
  fail: renderThreadLine,
  cancel: renderThreadLine,
  claim: renderClaim,
  renew: renderClaim,
  fetch: ({ threads, has_more }: { threads: FetchedThread[]; has_more: boolean }, page) =>
    threads.length === 0
      ? 'nothing to claim\n'
      : threadTable(threads, page, true) + (has_more ? page.ink.dim('and more\n') : ''),
  list: ({ threads, next_before }: { threads: Thread[]; next_before: string | null }, page) =>
    threads.length === 0
      ? 'no threads\n'
      : threadTable(threads, page, false) + goOn(page, 'before', next_before),
  sweep: renderSweep,
  show: renderShow,
  watch: renderWatch,
  'wait-reply': renderReply,
  status: renderStatus,
  prune: renderPrune,
}

function statusInk(status: ThreadStatus, ink: Palette): Ink {
  const inks: Partial<Record<ThreadStatus, Ink>> = {
    pending: ink.yellow,
    claimed: ink.cyan,
    in_progress: ink.blue,
    blocked: ink.red,
    done: ink.green,
    failed: ink.red,
    cancelled: ink.dim,
    trashed: ink.dim,
    deleted: ink.dim,
  }
  // The rest is neither waiting nor over.
  return inks[status] ?? ink.cyan
}

function threadCells(thread: Thread, { ink, now }: Page): Cell[] {
  return [
    { text: thread.thread_id },
    { text: thread.status, ink: statusInk(thread.status, ink) },
    { text: thread.priority === 'normal' ? '' : thread.priority, ink: ink.bold },
    // Mail is assigned to nobody.
    { text: [thread.created_by, thread.assigned_to].filter((name) => name !== '').join(' → ') },
    { text: relative(thread.updated_at, now), ink: ink.dim },
    { text: oneLine(thread.subject) },
  ]
}

function threadTable(threads: (Thread | FetchedThread)[], page: Page, marks: boolean): string {
  const rows = threads.map((thread) => {
    const cells = threadCells(thread, page)
    if (!marks || !('claimable' in thread)) return cells
    return [{ text: thread.lease?.live ? 'held' : '', ink: page.ink.dim }, ...cells]
  })
  return table(rows, page.terminal.columns)
}

function renderThreadLine({ thread }: { thread: Thread }, page: Page): string {
  return table([threadCells(thread, page)], page.terminal.columns)
}

function renderClaim(
  result: { thread: Thread | null; lease: LeaseGrant | null; message?: MessageView | null },
  page: Page,
): string {
  const { thread, lease, message } = result
  if (thread === null || lease === null) return 'nothing to claim\n'
  const until = `lease ${lease.lease_token}, generation ${lease.generation}, lapses ${relative(lease.expires_at, page.now)}\n`
  const asked = message ? messageBlock(message, page) : ''
  return renderThreadLine({ thread }, page) + page.ink.dim(until) + asked
}

function messageBlock(message: MessageView, page: Page): string {
  const { ink, now } = page
  const { imported_by: by } = message
  const brought = by === undefined ? '' : ink.yellow(`  imported by ${by}`)
  const head = `${ink.bold(message.kind)}  ${message.from_agent} → ${message.to_agent}  ${ink.dim(`${relative(message.created_at, now)}  ${message.message_id}`)}${brought}
`
  const parts = [message.summary]
  if (message.body !== '' && message.body !== message.summary) parts.push(message.body)
  const payload = JSON.stringify(message.payload_json)
  if (payload !== '{}') parts.push(payload)
  for (const { kind, path } of message.artifacts) parts.push(`${kind}: ${path}`)
  return `${head}${words(parts.join('\n'), page)}\n`
}

function renderShow(
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
  const title = `${ink.bold(oneLine(thread.subject))}  ${ink.dim(thread.thread_id)}\n`
  const body = messages.map((message) => messageBlock(message, page)).join('\n')
  const more = goOn(page, 'after', result.next_after)
  return `${title}${table(facts, page.terminal.columns)}\n${body}${more}`
}

function renderWatch(
  { woke, events }: { woke: boolean; events: EventView[] },
  { ink, now, terminal }: Page,
): string {
  if (!woke) return 'nothing happened\n'
  const rows = events.map((event): Cell[] => [
    { text: String(event.event_id), ink: ink.dim },
    { text: event.event_type.replace('thread_', '') },
    { text: event.thread_id },
    event.status === '' ? { text: '' } : { text: event.status, ink: statusInk(event.status, ink) },
    { text: event.agent },
    { text: relative(event.created_at, now), ink: ink.dim },
    { text: oneLine(event.summary) },
  ])
  return table(rows, terminal.columns)
}

function renderReply(
  { message }: { message: MessageView | null; next_event_id: number },
  page: Page,
): string {
  return message === null ? 'no reply yet\n' : messageBlock(message, page)
}

export function renderStatus(status: Status, page: Page): string {
  const { ink, now, terminal } = page
  const counts = Object.entries(status.counts.threads).map(([name, n]): Cell[] => [
    { text: name, ink: n === 0 ? ink.dim : statusInk(name as ThreadStatus, ink) },
    { text: String(n), ...(n === 0 ? { ink: ink.dim } : {}) },
  ])
  const sections = [
    ink.dim(`${status.store}, event ${status.next_event_id}\n`),
    table(counts, terminal.columns),
  ]
  if (status.oldest_pending !== null) {
    sections.push(
      `${ink.bold('oldest pending')}\n${renderThreadLine({ thread: status.oldest_pending }, page)}`,
    )
  }
  if (status.blocked.length > 0) {
    const rows = status.blocked.map(({ thread, question, asked_at }): Cell[] => [
      { text: thread.thread_id },
      { text: `${thread.assigned_to} asks ${thread.created_by}` },
      { text: relative(asked_at, now), ink: ink.dim },
      { text: oneLine(question) },
    ])
    sections.push(`${ink.bold('waiting for an answer')}\n${table(rows, terminal.columns)}`)
  }
  if (status.leases.length > 0) {
    const rows = status.leases.map((lease): Cell[] => [
      { text: lease.thread.thread_id },
      { text: lease.agent },
      {
        text: `${lease.live ? 'lapses' : 'lapsed'} ${relative(lease.expires_at, now)}`,
        ink: lease.live ? ink.dim : ink.red,
      },
      { text: oneLine(lease.thread.subject) },
    ])
    sections.push(`${ink.bold('leases, next to lapse first')}\n${table(rows, terminal.columns)}`)
  }
  return sections.join('\n')
}

function renderSweep(
  result: { threads: Thread[]; expired: unknown[]; bounced: number },
  page: Page,
): string {
  const { threads, expired, bounced } = result
  const list = threads.length === 0 ? 'no lapsed lease\n' : threadTable(threads, page, false)
  const late = expired.length === 0 ? '' : `${count(expired.length, 'message')} expired unread\n`
  const back = bounced === 0 ? '' : `${count(bounced, 'message')} bounced\n`
  return list + late + back
}

function renderPrune({ dry_run, threads, removed, notes }: Pruning, page: Page): string {
  const list = dry_run ? threadTable(threads, page, false) : ''
  const verb = dry_run ? 'would remove' : 'removed'
  // Pushes are kept for ever, most of them: that none goes is no news.
  const kinds = Object.entries(removed.kinds)
    .filter(([kind, { threads }]) => kind !== 'push' || threads > 0)
    .map(
      ([kind, { threads, messages }]) =>
        `${verb} ${count(threads, 'thread')} of ${kind} with ${count(messages, 'message')}\n`,
    )
  if (removed.wakes > 0) kinds.push(`${verb} ${count(removed.wakes, 'wake')}\n`)
  if (removed.tokens > 0) kinds.push(`${verb} ${count(removed.tokens, 'token')}\n`)
  return list + kinds.join('') + notes.map((note) => `${note}\n`).join('')
}
