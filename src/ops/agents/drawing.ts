import type { AgentStatus } from '../../core/agents/agent.ts'
import type { Settings } from '../../core/agents/settings.ts'
import {
  bold,
  dim,
  drawTable,
  extra,
  type InkName,
  inInk,
  type ListColumn,
} from '../kit/drawing/columns.ts'
import { describeSince, facts, goOn, type Page } from '../kit/drawing/page.ts'
import { count, oneLine, relative } from '../kit/drawing/text.ts'
import type { AgentView } from './agent-view.ts'

const STATUS_INKS: Record<AgentStatus, InkName> = {
  running: 'green',
  idle: 'cyan',
  dormant: 'dim',
  off: 'red',
}

export function drawAgents(
  { agents, next_after }: { agents: AgentView[]; next_after: string | null },
  page: Page,
): string {
  const columns: ListColumn<AgentView>[] = [
    'agent_id',
    'role',
    inInk('status', ({ status }) => STATUS_INKS[status]),
    extra(dim(evidence)),
    bold(({ unread }) => (unread === 0 ? '' : `${unread} unread`)),
    lastSaid,
  ]
  return drawTable(agents, columns, page, 'no agents') + goOn(page, 'after', next_after)
}

function evidence({ evidence: { by, at } }: AgentView, page: Page): string {
  switch (by) {
    case 'lease':
      return describeSince('lease lapses', at, page)
    case 'waiting':
      return 'waits'
    case 'turn':
      return describeSince('in a turn, seen', at, page)
    case 'declared':
      return describeSince('declared', at, page)
    case 'seen':
      return describeSince('seen', at, page)
    case 'nothing':
      return 'never seen'
  }
}

function lastSaid({ said }: AgentView, { now }: Page): string {
  return said === null ? '' : `“${oneLine(said.summary)}” ${relative(said.created_at, now)}`
}

export function drawAgent({ agent }: { agent: AgentView }, page: Page): string {
  const { ink } = page
  const { wake } = agent
  const command = wake.command?.map((word) => JSON.stringify(word)).join(' ') ?? ''
  const quiet = wake.quiet === undefined ? '' : `${wake.quiet[0]} to ${wake.quiet[1]} o’clock`
  const rest = facts(
    [
      [
        'status',
        { text: `${agent.status}, ${evidence(agent, page)}`, ink: ink[STATUS_INKS[agent.status]] },
      ],
      ['role', oneLine(agent.role)],
      ['started by', agent.parent_agent_id],
      ['works with', agent.paired_person],
      ['is a', oneLine(agent.source)],
      ['may write', agent.may_write_to_user ? 'to people' : ''],
      ['unread', agent.unread === 0 ? '' : count(agent.unread, 'message')],
      ['last said', lastSaid(agent, page)],
      ['woken by', oneLine(command)],
      ['woken for', wake.types?.join(', ')],
      ['every', wake.every_seconds === undefined ? '' : count(wake.every_seconds, 'second')],
      ['at', wake.cron === undefined ? '' : oneLine(wake.cron)],
      ['quiet', quiet],
    ],
    page,
  )
  return `${ink.bold(agent.agent_id)}\n${rest}`
}

const onOff = (is: boolean) => (is ? 'on' : 'off')

export function drawSettings(
  { person, settings }: { person: string; settings: Settings },
  page: Page,
): string {
  const { views, notify, mark_read, single_keys } = settings
  const { quiet_from, quiet_to, paused_until } = notify
  const head = facts(
    [
      ['person', person],
      ['marks read', mark_read],
      ['single keys', onOff(single_keys)],
      ['on the desktop', onOff(notify.desktop)],
      ['sound', onOff(notify.sound)],
      ['failures', onOff(notify.failures)],
      ['quiet', quiet_from === null ? '' : `${quiet_from} to ${quiet_to}`],
      ['paused', describeSince('resumes', paused_until, page)],
    ],
    page,
  )
  if (views.length === 0) return head
  return `${head}\nviews\n${drawTable(views, ['name', dim('screen'), dim('search')], page)}`
}
