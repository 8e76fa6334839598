// One workflow, looked at: its agents, what waits for them, and the end of its channel.

import { type Page, since } from '../kit/drawing/page.ts'
import { words } from '../kit/drawing/quoted.ts'
import { type Cell, count, oneLine, relative, table } from '../kit/drawing/text.ts'
import { drawChannel } from './drawing.ts'
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
    ...answer.agents.flatMap((agent) => [
      failureOf(agent, page),
      outputOf(agent, page),
      unreadOf(agent, page),
    ]),
  ]
  if (answer.entries.length > 0) {
    parts.push(`\nlast said\n${drawChannel({ entries: answer.entries, has_more: false }, page)}`)
  }
  return parts.join('')
}

function headOf({ workflow, run, state, ended, started_at }: WorkflowPeek, page: Page): string {
  const began = since('began', started_at, page)
  const how = ended === '' ? state : `${state}: ${ended.replace('_', ' ')}`
  return `${page.ink.bold(oneLine(workflow))}  run ${run}, ${began}, ${how}\n`
}

function turnWords({ last_turn: turn }: PeekedAgent, page: Page): string {
  if (turn === null) return 'no turn yet'
  if (turn.ended_at === null) return `in a turn that ${since('began', turn.started_at, page)}`
  return `last turn ${turn.state} ${relative(turn.ended_at, page.now)}`
}

/** A turn that went wrong says why. */
function failureOf({ name, last_turn: turn }: PeekedAgent, page: Page): string {
  if (turn === null || (turn.reason === '' && turn.stderr === '')) return ''
  const why = turn.reason === '' ? '' : `: ${oneLine(turn.reason)}`
  const said = turn.stderr === '' ? '' : `${words(turn.stderr, page)}\n`
  return `\nthe last turn of ${name}${why}\n${said}`
}

function outputOf({ name, output }: PeekedAgent, page: Page): string {
  const lines = output.filter(({ text }) => text.trim() !== '')
  if (lines.length === 0) return ''
  const { ink, now, terminal } = page
  const rows = lines.map(({ at, kind, text }): Cell[] => [
    { text: relative(at, now), ink: ink.dim },
    { text: kind === 'text' ? '' : kind, ink: ink.dim },
    { text: oneLine(text) },
  ])
  return `\nprinted by ${name}\n${table(rows, terminal.columns)}`
}

/** One line for each: the channel below has the whole of most of them. */
function unreadOf({ name, unread, messages }: PeekedAgent, page: Page): string {
  if (messages.length === 0) return ''
  const { ink, now, terminal } = page
  const rows = messages.map(({ entry, priority }): Cell[] => [
    { text: oneLine(entry.from) },
    { text: relative(entry.timestamp, now), ink: ink.dim },
    { text: priority === 'high' ? 'high' : '', ink: ink.yellow },
    { text: oneLine(entry.message) },
  ])
  const more = unread - messages.length
  const rest = more > 0 ? ink.dim(`and ${count(more, 'more message')}\n`) : ''
  return `\nunread by ${name}\n${table(rows, terminal.columns)}${rest}`
}
