import { visible } from '../../core/error.ts'
import type { ChannelEntry } from '../../core/workflows/channel.ts'
import type { Problem } from '../../workflows/plan.ts'
import type { RunnerReport } from '../../workflows/runner-report.ts'
import { drawNotWoken } from '../inbox/drawing.ts'
import {
  ago,
  bold,
  dim,
  drawTable,
  type InkName,
  inInk,
  type ListColumn,
} from '../kit/drawing/columns.ts'
import { describeSince, goOn, idIn, nothingFor, type Page } from '../kit/drawing/page.ts'
import { drawQuoted } from '../kit/drawing/quoted.ts'
import {
  type Cell,
  count,
  lastLine,
  makeSafe,
  oneLine,
  relative,
  table,
} from '../kit/drawing/text.ts'
import type { DocumentList } from './context-doc-list.ts'
import type { ReadDocument } from './context-doc-read.ts'
import type { SentEntry } from './context-send.ts'
import type { Team, TeamMember } from './context-team.ts'
import type { ChangedDocument, DocumentRevisionView } from './document-view.ts'
import type { WaitingMessage } from './entry-view.ts'
import { shorten } from './run-lines.ts'
import { WORDS_OF_END } from './run-operation.ts'
import type { ChannelOverview, MemberView } from './workflow-channel.ts'
import type { ChannelRow, Channels } from './workflow-channels.ts'
import type { CheckAnswer } from './workflow-check.ts'
import type { ChannelEntries } from './workflow-entries.ts'
import type { WorkflowAgent } from './workflow-list.ts'
import type { PeekedAgent, WorkflowPeek } from './workflow-peek.ts'
import type { SentToWorkflow } from './workflow-send.ts'
import type { StartedRunner, UnbegunRunner } from './workflow-start.ts'
import type { StopAnswer, StoppedAgent } from './workflow-stop.ts'

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
  return `${head}${drawQuoted(message, page)}\n`
}

export function drawWaiting({ messages }: { messages: WaitingMessage[] }, page: Page): string {
  if (messages.length === 0) return nothingFor('nothing', page)
  const drawn = messages.map(({ entry, priority }) =>
    drawEntry(entry, page, priority === 'high' ? page.ink.yellow('  high') : ''),
  )
  return drawn.join('')
}

export function drawTeam({ workflow, instance, run, state, members }: Team, page: Page): string {
  const columns: ListColumn<TeamMember>[] = [
    ({ name }) => `@${name}`,
    'agent_id',
    'status',
    ({ backend, model }) => `${backend} ${model}`,
  ]
  const head = `${oneLine(workflow)}  ${instance}, run ${run}, ${state}\n`
  return head + drawTable(members, columns, page)
}

const HEAD = ['NAME', 'SOURCE', 'STATUS']

export function drawWorkflows({ agents }: { agents: WorkflowAgent[] }, page: Page): string {
  const { ink, terminal, command } = page
  if (agents.length === 0) {
    return `nothing runs; '${command('workflow start FILE')}' starts a workflow\n`
  }
  const rows = agents.map((agent): Cell[] => [
    { text: agent.name },
    { text: sourceOf(agent) },
    { text: statusWords(agent), ink: ink[STATUS_INKS[agent.status]] },
    { text: agent.unread === 0 ? '' : `${agent.unread} unread`, ink: ink.bold },
  ])
  const head = HEAD.map((text): Cell => ({ text, ink: ink.dim }))
  return table([head, ...rows], terminal.columns)
}

/** Just the file name; programs get the full path in the answer. */
function sourceOf({ source }: WorkflowAgent): string {
  return source === '' ? '(standalone)' : oneLine(source.split('/').at(-1) ?? source)
}

function statusWords({ status, ended }: WorkflowAgent): string {
  return ended === '' ? status : `${status}: ${ended.replace('_', ' ')}`
}

const STATUS_INKS: Record<WorkflowAgent['status'], InkName> = {
  running: 'green',
  idle: 'cyan',
  stopped: 'dim',
  lost: 'red',
  ended: 'dim',
}

/** How stopping ends a single agent, an instance, and an instance whose runner is gone. */
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
    lines.push(`asked to stop, but still running: ${names(still)}; see '${see}'`)
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
  // A standalone agent has the same name as its instance.
  const target = recipients.includes(instance) ? instance : `@${instance}`
  const see = page.command(`workflow peek --to ${target}`)
  return `sent to ${whom}${how}\n${drawNotWoken(sent, page)}${see} shows its status\n`
}

export function drawPeek(answer: WorkflowPeek, page: Page): string {
  const columns: ListColumn<PeekedAgent>[] = [
    'name',
    inInk('status', ({ status }) => STATUS_INKS[status]),
    bold(({ unread }) => (unread === 0 ? '' : `${unread} unread`)),
    dim(turnWords),
  ]
  const parts = [
    headOf(answer, page),
    drawTable(answer.agents, columns, page),
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
  const began = describeSince('began', started_at, page)
  const how = ended === '' ? state : `${state}: ${ended.replace('_', ' ')}`
  return `${page.ink.bold(oneLine(workflow))}  run ${run}, ${began}, ${how}\n`
}

function turnWords({ last_turn: turn }: PeekedAgent, page: Page): string {
  if (turn === null) return 'no turn yet'
  if (turn.ended_at === null)
    return `in a turn that ${describeSince('began', turn.started_at, page)}`
  return `last turn ${turn.state} ${relative(turn.ended_at, page.now)}`
}

function failureOf({ name, last_turn: turn }: PeekedAgent, page: Page): string {
  if (turn === null || (turn.reason === '' && turn.stderr === '')) return ''
  const why = turn.reason === '' ? '' : `: ${oneLine(turn.reason)}`
  const said = turn.stderr === '' ? '' : `${drawQuoted(turn.stderr, page)}\n`
  return `\nthe last turn of ${name}${why}\n${said}`
}

function outputOf({ name, output }: PeekedAgent, page: Page): string {
  const lines = output.filter(({ text }) => text.trim() !== '')
  if (lines.length === 0) return ''
  const columns: ListColumn<(typeof lines)[number]>[] = [
    dim(ago('at')),
    dim(({ kind }) => (kind === 'text' ? '' : kind)),
    'text',
  ]
  return `\nprinted by ${name}\n${drawTable(lines, columns, page)}`
}

/** One line per message, because the channel below shows most of them in full. */
function unreadOf({ name, unread, messages }: PeekedAgent, page: Page): string {
  if (messages.length === 0) return ''
  const columns: ListColumn<WaitingMessage>[] = [
    ({ entry }) => entry.from,
    dim(({ entry }) => relative(entry.timestamp, page.now)),
    inInk(({ priority }) => (priority === 'high' ? 'high' : ''), 'yellow'),
    ({ entry }) => entry.message,
  ]
  const more = unread - messages.length
  const rest = more > 0 ? page.ink.dim(`and ${count(more, 'more message')}\n`) : ''
  return `\nunread by ${name}\n${drawTable(messages, columns, page)}${rest}`
}

/** One line per problem, starting with FILE:LINE:COLUMN, which editors and terminals turn into links. */
export function drawCheck(answer: CheckAnswer): string {
  const { file, valid, name, agents, problems, warnings } = answer
  const line = (said: Problem, mark = '') =>
    `${visible(said.file ?? file)}:${said.line}:${said.column} ${mark}${visible(said.what)}; ${visible(said.remedy)}\n`
  const said = [
    ...problems.map((one) => line(one)),
    ...warnings.map((one) => line(one, 'warning: ')),
  ]
  if (valid)
    said.push(`${visible(file)} is right: workflow ${visible(name)} with ${agents.join(', ')}\n`)
  return said.join('')
}

export function drawChanged({ file, revision }: ChangedDocument, done: string): string {
  return `${done} ${oneLine(file)} (revision ${revision})\n`
}

/** Prints only the content, so that the output can be redirected to a file. */
export function drawDocument({ content }: ReadDocument): string {
  return content === '' || content.endsWith('\n') ? makeSafe(content) : `${makeSafe(content)}\n`
}

export function drawDocuments({ documents, has_more }: DocumentList, page: Page): string {
  if (documents.length === 0) return nothingFor('no documents', page)
  const list = drawTable(
    documents,
    ['file', ({ bytes }) => `${bytes} bytes`, ago('modified_at')],
    page,
  )
  return list + (has_more ? page.ink.dim('and more\n') : '')
}

export function drawHistory(
  { revisions }: { revisions: DocumentRevisionView[] },
  page: Page,
): string {
  if (revisions.length === 0) return nothingFor('no revisions', page)
  const columns: ListColumn<DocumentRevisionView>[] = [
    'file',
    ({ revision }) => `${revision}`,
    ({ written_by, change }) => (written_by === '' ? 'outside' : `${change} by ${written_by}`),
    ago('created_at'),
    ({ is_kept, change }) => (is_kept || change === 'delete' ? '' : 'text not kept'),
  ]
  return drawTable(revisions, columns, page)
}

export function drawStarted(runner: StartedRunner, { command }: Page): string {
  const { instance, has_begun, pid, log, url } = runner
  const setup = has_begun
    ? ''
    : 'setup still runs, and no agent is called yet; the log says how it ends\n'
  const where = url === '' ? '' : `, tools at ${url}`
  return `${visible(instance)} continues in the background: process ${pid}${where}\n${setup}log: ${visible(log)}\n${command(`workflow stop @${instance}`)} ends it\n`
}

export function drawUnbegun({ instance, ended, why, log }: UnbegunRunner, page: Page): string {
  const said = why === '' ? '' : `${drawQuoted(why, page)}\n`
  return `${visible(instance)} ${WORDS_OF_END[ended]} before its agents were called\n${said}log: ${visible(log)}\n`
}

export function drawReport(report: RunnerReport, _page: Page): string {
  const { instance, ended, why, seconds, turns, entries, agents, documents } = report
  const said = agents
    .filter(({ turns, unread, last }) => turns > 0 || unread > 0 || last !== '')
    .map(({ name, turns, unread, last }) => {
      const left = unread > 0 ? `, ${unread} unread` : ''
      const words = last === '' ? '' : `  ${shorten(lastLine(last))}`
      return `  ${name}  ${count(turns, 'turn')}${left}${words}\n`
    })
  const more = why === '' ? '' : `: ${visible(why)}`
  const sums = `${count(turns, 'turn')}, ${count(entries, 'entry', 'entries')}, ${seconds} s`
  const files = documents.map(
    ({ file, revision, by }) => `  ${visible(file)}  revision ${revision} by ${by}\n`,
  )
  const written = files.length === 0 ? '' : `documents\n${files.join('')}`
  return `${visible(instance)} ${WORDS_OF_END[ended]}${more} (${sums})\n${said.join('')}${written}`
}

export function drawChannels({ channels, next_before }: Channels, page: Page): string {
  const columns: ListColumn<ChannelRow>[] = [
    'instance',
    inInk(
      ({ state, ended }) => (state === 'ended' ? ended : state),
      ({ state }) => (state === 'ended' ? 'dim' : 'green'),
    ),
    ({ entries }) => count(entries, 'entry', 'entries'),
    dim(ago('last_at')),
    inInk(({ unread }) => (unread === 0 ? '' : `${unread} for you`), 'yellow'),
    'workflow',
  ]
  const list = drawTable(channels, columns, page, 'no workflow has run yet')
  return list + goOn(page, 'before', next_before)
}

export function drawChannelView(
  { instance, agents, entries }: ChannelOverview,
  page: Page,
): string {
  const how = instance.state === 'ended' ? `ended: ${instance.ended}` : 'running'
  const since = relative(instance.ended_at ?? instance.started_at, page.now)
  const head = `${instance.instance}, run ${instance.run}: ${how}, ${since}, ${count(entries, 'entry', 'entries')}\n`
  const columns: ListColumn<MemberView>[] = [
    ({ name }) => `@${name}`,
    inInk(
      ({ stopping, status }) => (stopping && status !== 'stopped' ? 'stopping' : status),
      'cyan',
    ),
    inInk(({ unread }) => (unread === 0 ? '' : `${unread} unread`), 'yellow'),
    ({ said }) => said?.summary,
  ]
  return head + drawTable(agents, columns, page)
}

export function drawEntries({ entries, total }: ChannelEntries, page: Page): string {
  if (entries.length === 0) return total === 0 ? 'nothing was said yet\n' : 'no entries there\n'
  const said = entries.map(({ seq, from, timestamp, message }) => {
    const when = page.ink.dim(`${seq}  ${relative(timestamp, page.now)}`)
    return `${oneLine(from)}  ${when}\n${drawQuoted(message, page)}`
  })
  return said.join('')
}
