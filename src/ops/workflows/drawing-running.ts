// Workflows that run, and what became of them, as people see it.

import { drawNotWoken } from '../inbox/drawing.ts'
import type { Page } from '../kit/drawing/page.ts'
import { type Cell, type Ink, oneLine, type Palette, table } from '../kit/drawing/text.ts'
import type { WorkflowAgent } from './workflow-list.ts'
import type { SentToWorkflow } from './workflow-send.ts'
import type { StopAnswer, StoppedAgent } from './workflow-stop.ts'

const HEAD = ['NAME', 'SOURCE', 'STATUS']

export function drawWorkflows({ agents }: { agents: WorkflowAgent[] }, page: Page): string {
  const { ink, terminal, command } = page
  if (agents.length === 0) {
    return `nothing runs; '${command('workflow start FILE')}' starts a workflow\n`
  }
  const rows = agents.map((agent): Cell[] => [
    { text: agent.name },
    { text: sourceOf(agent) },
    { text: statusWords(agent), ink: statusInk(agent.status, ink) },
    { text: agent.unread === 0 ? '' : `${agent.unread} unread`, ink: ink.bold },
  ])
  const head = HEAD.map((text): Cell => ({ text, ink: ink.dim }))
  return table([head, ...rows], terminal.columns)
}

/** The file by its own name; where it is stands in the answer for programs. */
function sourceOf({ source }: WorkflowAgent): string {
  return source === '' ? '(standalone)' : oneLine(source.split('/').at(-1) ?? source)
}

function statusWords({ status, ended }: WorkflowAgent): string {
  return ended === '' ? status : `${status}: ${ended.replace('_', ' ')}`
}

export function statusInk(status: WorkflowAgent['status'], ink: Palette): Ink {
  const inks = { running: ink.green, idle: ink.cyan, lost: ink.red }
  return status === 'stopped' || status === 'ended' ? ink.dim : inks[status]
}

/** The ends that a word to stop leads to: of one agent alone, of the run, and of a run whose runner is gone. */
const BY_STOPPING = ['', 'stopped', 'lost']

export function drawStopped({ stopped, still }: StopAnswer, { command }: Page): string {
  const lines: string[] = []
  if (stopped.length + still.length === 0) lines.push('nothing runs')
  const before = stopped.filter(({ ended }) => !BY_STOPPING.includes(ended))
  const now = stopped.filter((one) => !before.includes(one))
  if (now.length > 0) lines.push(`stopped ${names(now)}`)
  const ends = before.map(({ instance, ended }) => `${instance} (${ended.replace('_', ' ')})`)
  if (ends.length > 0) lines.push(`ended before: ${[...new Set(ends)].join(', ')}`)
  if (still.length > 0) {
    const see = command('workflow list')
    lines.push(`told to stop, and not stopped yet: ${names(still)}; see '${see}'`)
  }
  return `${lines.join('\n')}\n`
}

function names(agents: StoppedAgent[]): string {
  return agents.map(({ name, ended }) => (ended === 'lost' ? `${name} (lost)` : name)).join(', ')
}

export function drawSentToWorkflow(sent: SentToWorkflow, page: Page): string {
  const { recipients, by, instance } = sent
  const whom = recipients.length === 0 ? 'the channel' : recipients.join(', ')
  const how = by === 'mail' ? ' by mail' : ''
  // An agent that stands alone has the name of its instance.
  const target = recipients.includes(instance) ? instance : `@${instance}`
  const see = page.command(`workflow peek --to ${target}`)
  return `sent to ${whom}${how}\n${drawNotWoken(sent, page)}${see} shows how it stands\n`
}
