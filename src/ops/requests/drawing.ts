import { isObject, type Json } from '../../core/json.ts'
import type { AgentRunStatus } from '../../core/requests/agent-run-status.ts'
import { type Change, changesBetween } from '../../core/requests/changes.ts'
import { isKnownType, type KnownType } from '../../core/requests/request-types.ts'
import {
  ago,
  dim,
  drawTable,
  extra,
  type InkName,
  id,
  inInk,
  type ListColumn,
} from '../kit/drawing/columns.ts'
import { facts, goOn, idIn, type Page } from '../kit/drawing/page.ts'
import { drawQuoted } from '../kit/drawing/quoted.ts'
import { count, indent, lastLine, makeSafe, oneLine, relative } from '../kit/drawing/text.ts'
import type { Policies } from './agent-policies.ts'
import type { AgentRunList, AgentRunView } from './agent-runs.ts'
import type { EffectChange } from './request-effect.ts'
import type { EffectCommandView, EffectList, EffectView } from './request-effects.ts'
import type { RequestAnswer } from './request-get.ts'
import type { RequestList } from './request-list.ts'
import type { RequestTypes } from './request-types.ts'
import type { RequestView } from './request-view.ts'
import type { AwaitedRequest } from './request-wait.ts'

export function drawRequests(
  { requests, pending, resolved, counts_cut, next_before }: RequestList,
  page: Page,
) {
  const list = drawTable(requests, REQUEST_COLUMNS, page, 'no requests')
  const least = counts_cut ? 'at least ' : ''
  const end = page.ink.dim(`${least}${pending} pending, ${resolved} resolved\n`)
  return list + end + goOn(page, 'before', next_before)
}

const REQUEST_COLUMNS: ListColumn<RequestView>[] = [
  id('request_id'),
  inInk('type', 'cyan'),
  inInk(
    ({ status, overdue }) => (overdue ? `${status}, overdue` : status),
    ({ status }) => (status === 'pending' ? 'yellow' : 'dim'),
  ),
  ({ revision }) => (revision === 1 ? '' : `revision ${revision}`),
  'risk',
  'requester',
  extra(dim(ago('created_at'))),
  'title',
]

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
    parts.push(`${drawQuoted(shown.description, page)}\n`)
  if (shown !== undefined) parts.push(drawPayload(request.type, shown.payload, page))
  const { decision } = answer
  if (decision !== null && JSON.stringify(decision.payload) !== JSON.stringify(shown?.payload)) {
    parts.push(`approved instead\n${drawPayload(request.type, decision.payload, page)}`)
  }
  if (revisions.length > 1) {
    const lines = changes.map(changeLine).join('\n')
    parts.push(`${count(changes.length, 'change')}\n${drawQuoted(lines, page)}\n`)
  }
  if (links.length > 0) {
    parts.push(`linked\n${drawTable(links, [id('thread_id'), dim('status'), 'subject'], page)}`)
  }
  parts.push(drawTable(activity, [dim(ago('at')), 'actor', 'action', 'notes'], page))
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
  const said = decision.notes === '' ? '' : `${drawQuoted(decision.notes, page)}\n`
  return `${head}${said}${drawPayload(request.type, decision.payload, page)}`
}

function effectWords({ state, attempt, reason, last_words }: EffectView): string {
  const tries = attempt > 1 ? `, try ${attempt}` : ''
  return [`${state}${tries}`, oneLine(reason), oneLine(lastLine(last_words))]
    .filter((part) => part !== '')
    .join(': ')
}

export function drawEffects({ effects }: EffectList, page: Page): string {
  if (effects.length === 0) return 'approvals start nothing\n'
  return effects.map((one) => effectLine(one, page)).join('')
}

export function drawEffectSet({ effect }: EffectChange, page: Page): string {
  return effect === undefined ? 'approvals of this type start nothing\n' : effectLine(effect, page)
}

/** The command is printed in full, because a person decides whether to allow it. */
function effectLine({ type, command, cwd, allowed }: EffectCommandView, { ink }: Page): string {
  const where = cwd === null ? '' : ` in ${JSON.stringify(cwd)}`
  const mark = allowed ? ink.green('allowed') : ink.yellow('held   ')
  const next = allowed ? '' : "         see it and allow it with 'inbox wake allow'\n"
  return `${mark}  ${oneLine(type)}  ${makeSafe(`${JSON.stringify(command)}${where}`)}\n${next}`
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

function changeLine({ path, before, after }: Change): string {
  return `${path}: ${asText(before)} → ${asText(after)}`
}

function asText(value: Json | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

export function drawPolicies({ requirements }: Policies, page: Page): string {
  const columns: ListColumn<(typeof requirements)[number]>[] = [
    'applies_to',
    inInk('requires', 'cyan'),
    'added_by',
    dim(ago('added_at')),
  ]
  return drawTable(requirements, columns, page, 'no agent has to ask for anything')
}

const RUN_INKS: Record<AgentRunStatus, InkName> = {
  running: 'green',
  paused: 'yellow',
  cancelled: 'red',
  ended: 'dim',
}

export function drawAgentRuns({ agent_runs, next_before }: AgentRunList, page: Page): string {
  const columns: ListColumn<AgentRunView>[] = [
    id('agent_run_id'),
    'agent_id',
    inInk('status', ({ status }) => RUN_INKS[status]),
    'review_status',
    dim(ago('updated_at')),
    inInk(({ warning }) => (warning === '' ? '' : 'unrouted'), 'yellow'),
    ({ request_id }) => (request_id === '' ? 'no request' : idIn(request_id, page)),
    'review_id',
    ({ response_markdown: said }) => (said === '' ? '' : `| ${said}`),
  ]
  return drawTable(agent_runs, columns, page, 'no agent runs') + goOn(page, 'before', next_before)
}

type PayloadObject = { [key: string]: Json }

/** The number of proposed changes to show for a review. `request get --raw` shows them all. */
const SHOWN_CHANGES = 3

const RENDERERS: Record<KnownType, (payload: PayloadObject) => string[]> = {
  config_change({ target, current = {}, proposed = {} }) {
    const lines = changesBetween(current, proposed).map(changeLine)
    return [`target: ${plain(target)}`, ...(lines.length === 0 ? ['nothing changes'] : lines)]
  },
  knowledge_upload({ destination, files }) {
    const all = listOf(files)
    const [first] = all
    const lines = all.map(({ name, media_type, size, replaces }) => {
      const instead = replaces === undefined ? '' : `, replaces ${plain(replaces)}`
      return `${plain(name)}  ${plain(media_type)}  ${plain(size)} bytes${instead}`
    })
    const preview = typeof first?.text === 'string' ? ['', ...first.text.split('\n')] : []
    return [`to: ${plain(destination)}`, ...lines, ...preview]
  },
  tool_invocation({ tool, arguments: given, description, risk }) {
    const why = description === undefined ? [] : [plain(description)]
    return [`tool: ${plain(tool)}`, ...why, JSON.stringify(given, null, 2), ...riskLines(risk)]
  },
  workspace_review({ body, target_path, changes }) {
    const all = listOf(changes)
    const lines = all.slice(0, SHOWN_CHANGES).map(({ kind, path, summary }) => {
      return `${plain(kind)} ${plain(path)}: ${plain(summary)}`
    })
    const left = all.length - SHOWN_CHANGES
    const more = left > 0 ? [`and ${left} more: see all of it with --raw`] : []
    return [`for: ${plain(target_path)}`, plain(body), ...lines, ...more]
  },
  question({ text, options, schema }) {
    const choices = Array.isArray(options) ? options.map((one) => `- ${plain(one)}`) : []
    return [
      plain(text),
      ...choices,
      ...(schema === undefined ? [] : [JSON.stringify(schema, null, 2)]),
    ]
  },
}

export function drawPayload(type: string, payload: Json, page: Page): string {
  const lines =
    isKnownType(type) && isObject(payload) && !page.isRaw
      ? RENDERERS[type](payload)
      : [JSON.stringify(payload, null, 2)]
  return `${drawQuoted(lines.join('\n'), page)}\n`
}

function riskLines(risk: Json | undefined): string[] {
  if (!isObject(risk)) return []
  const { level, reasons, touches } = risk
  const texts = (list: Json | undefined) => (Array.isArray(list) ? list.map(plain) : [])
  return [
    `risk: ${plain(level)}`,
    ...texts(reasons),
    ...texts(touches).map((one) => `touches ${one}`),
  ]
}

function listOf(list: Json | undefined): PayloadObject[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}

function plain(value: Json | undefined): string {
  return typeof value === 'string' ? value : asText(value)
}
