// Agents and people, as people see them.

import type { AgentStatus } from '../../core/agents/agent.ts'
import type { Settings } from '../../core/agents/settings.ts'
import { facts, goOn, type Page, since } from '../kit/drawing/page.ts'
import {
  type Cell,
  count,
  type Ink,
  oneLine,
  type Palette,
  relative,
  table,
} from '../kit/drawing/text.ts'
import type { AgentView } from './agent-view.ts'

function statusInk(status: AgentStatus, ink: Palette): Ink {
  return { running: ink.green, idle: ink.cyan, dormant: ink.dim, off: ink.red }[status]
}

export function drawAgents(
  { agents, next_after }: { agents: AgentView[]; next_after: string | null },
  page: Page,
): string {
  const more = goOn(page, 'after', next_after)
  if (agents.length === 0) return `no agents\n${more}`
  const { ink, now, terminal } = page
  const rows = agents.map((agent): Cell[] => [
    { text: agent.agent_id },
    { text: oneLine(agent.role) },
    { text: agent.status, ink: statusInk(agent.status, ink) },
    { text: evidence(agent, page), ink: ink.dim, extra: terminal.isTty },
    { text: agent.unread === 0 ? '' : `${agent.unread} unread`, ink: ink.bold },
    { text: said(agent, now) },
  ])
  return table(rows, terminal.columns) + more
}

/** The evidence for the agent's status. */
function evidence({ evidence: { by, at } }: AgentView, page: Page): string {
  switch (by) {
    case 'lease':
      return since('lease lapses', at, page)
    case 'waiting':
      return 'waits'
    case 'turn':
      return since('in a turn, seen', at, page)
    case 'declared':
      return since('declared', at, page)
    case 'seen':
      return since('seen', at, page)
    case 'nothing':
      return 'never seen'
  }
}

function said({ said: word }: AgentView, now: number): string {
  return word === null ? '' : `“${oneLine(word.summary)}” ${relative(word.created_at, now)}`
}

export function drawAgent({ agent }: { agent: AgentView }, page: Page): string {
  const { ink, now } = page
  const { wake } = agent
  const command = wake.command?.map((word) => JSON.stringify(word)).join(' ') ?? ''
  const quiet = wake.quiet === undefined ? '' : `${wake.quiet[0]} to ${wake.quiet[1]} o’clock`
  const rest = facts(
    [
      [
        'status',
        { text: `${agent.status}, ${evidence(agent, page)}`, ink: statusInk(agent.status, ink) },
      ],
      ['role', oneLine(agent.role)],
      ['started by', agent.parent_agent_id],
      ['works with', agent.paired_person],
      ['is a', oneLine(agent.source)],
      ['may write', agent.may_write_to_user ? 'to people' : ''],
      ['unread', agent.unread === 0 ? '' : count(agent.unread, 'message')],
      ['last said', said(agent, now)],
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
      ['paused', since('goes on', paused_until, page)],
    ],
    page,
  )
  if (views.length === 0) return head
  const rows = views.map(({ name, screen, search }) => [
    { text: oneLine(name) },
    { text: screen, ink: page.ink.dim },
    { text: search, ink: page.ink.dim },
  ])
  return `${head}\nviews\n${table(rows, page.terminal.columns)}`
}
