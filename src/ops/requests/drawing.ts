// Requests, as people see them. What the requester wrote stands after a bar, as in mail.

import type { Json } from '../../core/json.ts'
import { facts, goOn, idIn, type Page } from '../kit/drawing/page.ts'
import { words } from '../kit/drawing/quoted.ts'
import { type Cell, count, indent, oneLine, relative, safe, table } from '../kit/drawing/text.ts'
import { drawPayload } from './drawing-payload.ts'
import type { EffectCommandView, EffectView } from './effect-view.ts'
import type { EffectChange } from './request-effect.ts'
import type { EffectList } from './request-effects.ts'
import type { RequestAnswer } from './request-get.ts'
import type { RequestList } from './request-list.ts'
import type { RequestTypes } from './request-types.ts'
import type { RequestView } from './request-view.ts'
import type { AwaitedRequest } from './request-wait.ts'

export function drawRequests(
  { requests, pending, resolved, counts_cut, next_before }: RequestList,
  page: Page,
) {
  const { ink, terminal } = page
  const least = counts_cut ? 'at least ' : ''
  const end = ink.dim(`${least}${pending} pending, ${resolved} resolved\n`)
  if (requests.length === 0) return `no requests\n${end}`
  const rows = requests.map((request) => requestCells(request, page))
  return `${table(rows, terminal.columns)}${end}${goOn(page, 'before', next_before)}`
}

function requestCells(request: RequestView, page: Page): Cell[] {
  const { ink, now } = page
  const { status, revision, risk } = request
  return [
    { text: idIn(request.request_id, page) },
    { text: request.type, ink: ink.cyan },
    {
      text: request.overdue ? `${status}, overdue` : status,
      ...(status === 'pending' ? { ink: ink.yellow } : { ink: ink.dim }),
    },
    { text: revision === 1 ? '' : `revision ${revision}` },
    { text: risk ?? '' },
    { text: request.requester },
    { text: relative(request.created_at, now), ink: ink.dim, extra: page.terminal.isTty },
    { text: oneLine(request.title) },
  ]
}

export function drawRequest(answer: RequestAnswer, page: Page): string {
  const { request, revisions, changes, activity, actions, links } = answer
  const { ink, now } = page
  const shown = revisions.at(-1)
  const head = facts(
    [
      ['type', request.type],
      ['status', request.status],
      ['revision', `${request.revision}`],
      ['from', `${request.requester}, ${relative(request.created_at, now)}`],
      ['for', request.recipient],
      ['about', `${request.entity_type} ${request.entity_id}`.trim()],
      ['run', answer.agent_run?.status],
      ['risk', request.risk],
      ['decided', decidedBy(request, now)],
      [
        'used',
        request.used_at === null ? '' : `by ${request.used_by}, ${relative(request.used_at, now)}`,
      ],
      ['held', heldFor(request, page)],
      ['expires', expiryOf(request, now)],
      ['effect', answer.effect === null ? '' : effectWords(answer.effect)],
      ['then', shown?.consequence ?? ''],
      ['you may', actions.join(', ')],
    ],
    page,
  )
  const warning = answer.agent_run?.warning ?? ''
  const alarm = warning === '' ? '' : `${ink.yellow(`warning: ${warning}`)}\n`
  const title = `${ink.bold(oneLine(request.title))}  ${ink.dim(idIn(request.request_id, page))}`
  const parts = [`${title}\n${alarm}${head}`]
  if (shown !== undefined && shown.description !== '')
    parts.push(`${words(shown.description, page)}\n`)
  if (shown !== undefined) parts.push(drawPayload(request.type, shown.payload, page))
  const { decision } = answer
  if (decision !== null && JSON.stringify(decision.payload) !== JSON.stringify(shown?.payload)) {
    parts.push(`approved instead\n${drawPayload(request.type, decision.payload, page)}`)
  }
  if (revisions.length > 1) {
    const lines = changes.map(
      ({ path, before, after }) => `${path}: ${said(before)} → ${said(after)}`,
    )
    parts.push(`${count(changes.length, 'change')}\n${words(lines.join('\n'), page)}\n`)
  }
  if (links.length > 0) {
    const lines = links.map((one): Cell[] => [
      { text: idIn(one.thread_id, page) },
      { text: one.status, ink: ink.dim },
      { text: oneLine(one.subject) },
    ])
    parts.push(`linked\n${table(lines, page.terminal.columns)}`)
  }
  const rows = activity.map(({ at, actor, action, notes }): Cell[] => [
    { text: relative(at, now), ink: ink.dim },
    { text: actor },
    { text: action },
    { text: oneLine(notes) },
  ])
  parts.push(table(rows, page.terminal.columns))
  return parts.join('\n')
}

export function drawTypes({ types, required }: RequestTypes, { ink }: Page): string {
  const sections = types.map(({ type, about, payload }) => {
    return `${ink.bold(type)}  ${about}\n${indent(JSON.stringify(payload, null, 2), '  ')}\n`
  })
  const must = required.length === 0 ? '' : `\nyou must ask for ${required.join(', ')}\n`
  return `${sections.join('\n')}${must}`
}

export function drawAwaited(
  { request, decision }: Pick<AwaitedRequest, 'request' | 'decision'>,
  page: Page,
): string {
  const { request_id, status } = request
  const by = decidedBy(request, page.now)
  const head = `${idIn(request_id, page)} is ${status}${by === '' ? '' : `, ${by}`}\n`
  if (decision === null) return head
  const said = decision.notes === '' ? '' : `${words(decision.notes, page)}\n`
  return `${head}${said}${drawPayload(request.type, decision.payload, page)}`
}

function effectWords({ state, attempt, reason, last_words }: EffectView): string {
  const tries = attempt > 1 ? `, try ${attempt}` : ''
  const last = oneLine(last_words.trimEnd().split('\n').at(-1) ?? '')
  return [`${state}${tries}`, oneLine(reason), last].filter((part) => part !== '').join(': ')
}

export function drawEffects({ effects }: EffectList, page: Page): string {
  if (effects.length === 0) return 'approvals start nothing\n'
  return effects.map((one) => effectLine(one, page)).join('')
}

export function drawEffectSet({ effect }: EffectChange, page: Page): string {
  return effect === undefined ? 'approvals of this type start nothing\n' : effectLine(effect, page)
}

/** Prints the command whole, because the reader decides on its every word. */
function effectLine({ type, command, cwd, allowed }: EffectCommandView, { ink }: Page): string {
  const where = cwd === null ? '' : ` in ${JSON.stringify(cwd)}`
  const mark = allowed ? ink.green('allowed') : ink.yellow('held   ')
  const next = allowed ? '' : "         see it and allow it with 'inbox wake allow'\n"
  return `${mark}  ${oneLine(type)}  ${safe(`${JSON.stringify(command)}${where}`)}\n${next}`
}

function decidedBy({ decided_by, decided_at }: RequestView, now: number): string {
  return decided_by === null || decided_at === null
    ? ''
    : `by ${decided_by}, ${relative(decided_at, now)}`
}

function expiryOf(
  { expires_at, overdue, on_expiry, decided_by }: RequestView,
  now: number,
): string {
  if (expires_at === null || decided_by !== null) return ''
  return `${relative(expires_at, now)}${overdue ? ', overdue' : ''}; then: ${on_expiry}`
}

function heldFor({ held_move, held_by, held_until }: RequestView, page: Page): string {
  if (held_move === null || held_until === null) return ''
  const when = page.terminal.isTty ? relative(held_until, page.now) : `from ${held_until}`
  return `${held_move} by ${held_by}, counts ${when}`
}

function said(value: Json | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}
