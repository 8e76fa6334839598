// A server's log for a person at its terminal: one short line for each important event. Programs read the same log as
// lines of JSON.

import { USER } from '../core/agents/agent.ts'
import type { EventView } from '../core/event.ts'
import { shellWord } from '../core/shell-word.ts'
import type { ServedStore, ServerLogLine } from '../doors/http/http-server.ts'
import { makeSafe, oneLine } from '../ops/kit/drawing/text.ts'

const LONGEST_LINE = 160

const HAPPENED: Partial<Record<string, string>> = {
  thread_send: 'sent work',
  thread_reply: 'answered',
  thread_claim: 'took',
  thread_done: 'finished',
  thread_fail: 'failed at',
  thread_cancel: 'cancelled',
  mail_send: 'wrote',
  mail_append: 'wrote',
  push_send: 'pushed',
  push_reply: 'replied about',
  request_create: 'asks for',
  request_resubmit: 'asks again for',
  request_approve: 'approved',
  request_reject: 'rejected',
  request_revise: 'wants a revision of',
  request_cancel: 'withdrew',
  request_expire: 'let expire',
}

/** Prints what happens in a store to the server's terminal, until the server stops. */
export async function reportEvents(
  served: ServedStore,
  log: (text: string) => void,
): Promise<void> {
  const { store } = served.house
  const print = async (event: EventView) => {
    const did = didWhat(event)
    if (did === undefined) return
    const found = await store.thread(event.thread_id)
    const about = found?.thread.subject || event.summary
    log(`${atNow()} ${cut(`${nameOf(event.agent)} ${did}: ${oneLine(about)}`)}\n`)
  }
  const report = (event: EventView) => void print(event).catch(() => {})
  const nothing = () => {}
  const ready = async () => {}
  const listener = { take: report, reset: nothing, reached: nothing, ended: nothing, ready }
  await served.tail.listen({ filter: { types: [...Object.keys(HAPPENED), BLOCKED] } }, listener)
}

const BLOCKED = 'thread_update'

function didWhat({ event_type, status }: EventView): string | undefined {
  if (event_type !== BLOCKED) return HAPPENED[event_type]
  return status === 'blocked' ? 'asks, and waits for the answer' : undefined
}

/** Formats a line of the log. If there's no sentence for it, its fields are shown instead. */
export function formatLogLine({ level, what, ...rest }: ServerLogLine): string {
  const words = SENTENCES[what]?.(rest as Record<string, never>) ?? `${what} ${fieldsOf(rest)}`
  return `${atNow()} ${level === 'info' ? '' : `${level}: `}${cut(words)}`
}

const SENTENCES: Partial<Record<string, (line: Record<string, string>) => string | undefined>> = {
  'signed in': ({ who }) => `${nameOf(who ?? '')} signed in`,
  'signed out': ({ who }) => `${nameOf(who ?? '')} signed out`,
  store: ({ store, is, why }) => `the store ${store} is ${is}${why ? `: ${why}` : ''}`,
  wake: ({ did, ...line }) => WAKES[did ?? '']?.(line as never),
  effect: ({ request_type, came, why }) =>
    `the effect of an approval (${request_type}) ${came}${why ? `: ${why}` : ''}`,
}

const WAKES: Partial<Record<string, (line: Record<string, string>) => string>> = {
  started: (line) => started(line as never),
  failed: ({ agent_id, why }) => `${agent_id} could not be started: ${why}`,
  lost: ({ agent_id }) => `lost ${agent_id}, whose program is gone; retrying`,
  held: ({ agent_id, why }) => `${agent_id} is not started: ${why}`,
}

type StartedAgent = { agent_id: string; cause: string; mail: number; command: string[] }

const CAUSES: Record<string, string> = {
  timer: 'by its timer',
  workspace_event: 'because its review was decided',
}

function started({ agent_id, cause, mail, command }: StartedAgent): string {
  const why = CAUSES[cause] ?? `for ${mail} unread`
  return `starts ${agent_id} ${why}: ${command.map(shellWord).join(' ')}`
}

function fieldsOf(line: Record<string, unknown>): string {
  return Object.entries(line)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
}

function nameOf(agent: string): string {
  return agent === USER ? 'you' : oneLine(agent)
}

function atNow(): string {
  return new Date().toTimeString().slice(0, 8)
}

/** Keeps the lines of a stack trace. Anything else becomes one line that fits a terminal. */
function cut(words: string): string {
  if (words.includes('\n')) return words.split('\n').map(makeSafe).join('\n')
  const line = oneLine(words)
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE - 1)}…`
}
