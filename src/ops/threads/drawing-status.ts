// The store at a glance, as people see it: what needs them first, and nothing that is empty.

import { isPerson } from '../../core/agents/agent.ts'
import type { ThreadStatus } from '../../core/kinds.ts'
import { MOST_COUNTED } from '../../core/threads/thread-reads.ts'
import { statusInk } from '../inbox/drawing.ts'
import { idIn, type Page } from '../kit/drawing/page.ts'
import { type Cell, count, elapsed, oneLine, relative, table } from '../kit/drawing/text.ts'
import type { OwnDemand, Status } from './status.ts'

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
