// Channels as people see them in the shell: the list, one at a glance, and a part of its words.

import { goOn, type Page } from '../kit/drawing/page.ts'
import { words } from '../kit/drawing/quoted.ts'
import { type Cell, count, oneLine, relative, table } from '../kit/drawing/text.ts'
import type { ChannelOverview, MemberView } from './workflow-channel.ts'
import type { ChannelRow, Channels } from './workflow-channels.ts'
import type { ChannelEntries } from './workflow-entries.ts'

export function drawChannels({ channels, next_before }: Channels, page: Page): string {
  if (channels.length === 0) return 'no workflow has run yet\n'
  const cells = channels.map((one) => rowOf(one, page))
  return `${table(cells, page.terminal.columns)}${goOn(page, 'before', next_before)}`
}

function rowOf(row: ChannelRow, { ink, now }: Page): Cell[] {
  const { instance, workflow, state, ended, entries, last_at, unread } = row
  return [
    { text: instance },
    { text: state === 'ended' ? ended : state, ink: state === 'ended' ? ink.dim : ink.green },
    { text: count(entries, 'entry', 'entries') },
    { text: last_at === null ? '' : relative(last_at, now), ink: ink.dim },
    { text: unread === 0 ? '' : `${unread} for you`, ink: ink.yellow },
    { text: oneLine(workflow) },
  ]
}

export function drawChannel({ instance, agents, entries }: ChannelOverview, page: Page): string {
  const { ink, now, terminal } = page
  const how = instance.state === 'ended' ? `ended: ${instance.ended}` : 'running'
  const since = relative(instance.ended_at ?? instance.started_at, now)
  const head = `${instance.instance}, run ${instance.run}: ${how}, ${since}, ${count(entries, 'entry', 'entries')}\n`
  return `${head}${table(
    agents.map((one) => memberOf(one, ink)),
    terminal.columns,
  )}`
}

function memberOf({ name, status, unread, stopping, said }: MemberView, ink: Page['ink']): Cell[] {
  return [
    { text: `@${name}` },
    { text: stopping && status !== 'stopped' ? 'stopping' : status, ink: ink.cyan },
    { text: unread === 0 ? '' : `${unread} unread`, ink: ink.yellow },
    { text: said === null ? '' : oneLine(said.summary) },
  ]
}

export function drawEntries({ entries, total }: ChannelEntries, page: Page): string {
  if (entries.length === 0) return total === 0 ? 'nothing was said yet\n' : 'no entries there\n'
  const said = entries.map(({ seq, from, timestamp, message }) => {
    const when = page.ink.dim(`${seq}  ${relative(timestamp, page.now)}`)
    return `${oneLine(from)}  ${when}\n${words(message, page)}`
  })
  return said.join('')
}
