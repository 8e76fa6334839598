// Channels and what waits in them, as people see it.

import type { ChannelEntry } from '../../core/workflows/channel.ts'
import { drawNotWoken } from '../inbox/drawing.ts'
import { idIn, nothingFor, type Page } from '../kit/drawing/page.ts'
import { words } from '../kit/drawing/quoted.ts'
import { oneLine, relative, table } from '../kit/drawing/text.ts'
import type { SentEntry } from './context-send.ts'
import type { TeamMember } from './context-team.ts'
import type { WaitingMessage } from './entry-view.ts'

export function drawSent(sent: SentEntry, page: Page): string {
  const { id, mentions } = sent
  const told = mentions.length === 0 ? '' : ` to ${mentions.join(', ')}`
  return `sent ${idIn(id, page)}${told}\n${drawNotWoken(sent, page)}`
}

export function drawChannel(
  { entries, has_more }: { entries: ChannelEntry[]; has_more: boolean },
  page: Page,
): string {
  if (entries.length === 0) return 'nothing was said\n'
  const drawn = entries.map((entry) => drawEntry(entry, page)).join('')
  return drawn + (has_more ? page.ink.dim('and more\n') : '')
}

type DrawnWords = Pick<ChannelEntry, 'id' | 'from' | 'timestamp' | 'message'>

function drawEntry({ id, from, timestamp, message }: DrawnWords, page: Page, more = ''): string {
  const { ink, now } = page
  const head = `${ink.bold(oneLine(from))}${more}  ${ink.dim(`${relative(timestamp, now)}  ${idIn(id, page)}`)}\n`
  return `${head}${words(message, page)}\n`
}

export function drawWaiting({ messages }: { messages: WaitingMessage[] }, page: Page): string {
  if (messages.length === 0) return nothingFor('nothing', page)
  const drawn = messages.map(({ entry, priority }) =>
    drawEntry(entry, page, priority === 'high' ? page.ink.yellow('  high') : ''),
  )
  return drawn.join('')
}

export function drawTeam(
  {
    workflow,
    instance,
    run,
    state,
    members,
  }: {
    workflow: string
    instance: string
    run: number
    state: string
    members: TeamMember[]
  },
  page: Page,
): string {
  const rows = members.map(({ name, agent_id, backend, model, status }) =>
    [`@${name}`, agent_id, status, `${backend} ${model}`.trim()].map((text) => ({ text })),
  )
  const head = `${oneLine(workflow)}  ${instance}, run ${run}, ${state}\n`
  return head + table(rows, page.terminal.columns)
}
