// One workflow, looked at: its agents, what waits for them, and the end of its channel.

import { type Page, since } from '../kit/drawing/page.ts'
import { words } from '../kit/drawing/quoted.ts'
import { type Cell, count, oneLine, relative, table } from '../kit/drawing/text.ts'
import { drawChannel, drawWaiting } from './drawing.ts'
import { statusInk } from './drawing-running.ts'
import type { PeekedAgent, WorkflowPeek } from './workflow-peek.ts'

export function drawPeek(answer: WorkflowPeek, page: Page): string {
  const { ink, terminal } = page
  const rows = answer.agents.map((agent): Cell[] => [
    { text: agent.name },
    { text: agent.status, ink: statusInk(agent.status, ink) },
    { text: agent.unread === 0 ? '' : `${agent.unread} unread`, ink: ink.bold },
    { text: turnWords(agent, page), ink: ink.dim },
  ])
  const parts = [
    headOf(answer, page),
    table(rows, terminal.columns),
    ...answer.agents.flatMap((agent) => [failureOf(agent, page), unreadOf(agent, page)]),
  ]
  if (answer.entries.length > 0) {
    parts.push(`\nlast said\n${drawChannel({ entries: answer.entries, has_more: false }, page)}`)
  }
  return parts.join('')
}

function headOf({ workflow, run, state, ended, started_at }: WorkflowPeek, page: Page): string {
  const how = state === 'running' ? since('since', started_at, page) : ended.replace('_', ' ')
  return `${page.ink.bold(oneLine(workflow))}  run ${run}, ${state}${how && `, ${how}`}\n`
}

function turnWords({ last_turn: turn }: PeekedAgent, { now }: Page): string {
  if (turn === null) return 'no turn yet'
  if (turn.ended_at === null) return `in a turn since ${relative(turn.started_at, now)}`
  const how = turn.state === 'ended' ? 'ended' : turn.state
  return `last turn ${how} ${relative(turn.ended_at, now)}`
}

/** A turn that went wrong says why. */
function failureOf({ name, last_turn: turn }: PeekedAgent, page: Page): string {
  if (turn === null || (turn.reason === '' && turn.stderr === '')) return ''
  const why = turn.reason === '' ? '' : `: ${oneLine(turn.reason)}`
  const said = turn.stderr === '' ? '' : `${words(turn.stderr, page)}\n`
  return `\nthe last turn of ${name}${why}\n${said}`
}

function unreadOf({ name, unread, messages }: PeekedAgent, page: Page): string {
  if (messages.length === 0) return ''
  const more = unread - messages.length
  const rest = more > 0 ? page.ink.dim(`and ${count(more, 'more message')}\n`) : ''
  return `\nunread by ${name}\n${drawWaiting({ messages }, page)}${rest}`
}
