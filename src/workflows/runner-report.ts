// What a runner reports: lines while it works, and a report at its end.

import type { Store } from '../core/store.ts'
import type { Instant } from '../core/time.ts'
import type { ChannelEntry } from '../core/workflows/channel.ts'
import type { InstanceEnd } from '../core/workflows/instance.ts'
import { EXIT_OF_END } from './ending.ts'
import type { Runner } from './runner.ts'
import { agentFolder, readAgentState, type TurnLogLine } from './runner-folder.ts'
import type { RunnerEnd } from './runner-loop.ts'

const MOST_DOCUMENTS = 1000

export type RunnerLine =
  | { event: 'started'; instance: string; run: number; resumed: boolean; thread_id: string }
  | { event: 'context'; socket: string; url: string; note?: string }
  | { event: 'setup'; shell: string; as?: string }
  | { event: 'kickoff'; to: string[] }
  | {
      event: 'turn'
      agent: string
      wake_id: string
      attempt: number
      cause: string
      unread: number
    }
  | {
      event: 'turn_end'
      agent: string
      wake_id: string
      state: string
      reason: string
      seconds: number
      last: string
    }
  | ({ event: 'entry' } & ChannelEntry)
  | ({ event: 'output'; agent: string } & Omit<TurnLogLine, 'wake'> & { wake_id: string })
  | { event: 'gave_up'; agent: string; why: string; messages: number }
  | { event: 'held'; agent: string; why: string }
  | { event: 'warning'; words: string }
  | { event: 'stopping'; agents: string[] }
  | { event: 'ending'; ended: InstanceEnd }

export type AgentReport = {
  agent: string
  name: string
  turns: number
  unread: number
  last: string
}

export type DocumentReport = { file: string; revision: number; by: string }

/** Only present if `ok` is false. */
export type RunnerError = { code: InstanceEnd; message: string }

export type RunnerReport = {
  /** Whether the run succeeded. The exit code is then 0. */
  ok: boolean
  error?: RunnerError
  instance: string
  run: number
  ended: InstanceEnd
  why: string
  seconds: number
  turns: number
  entries: number
  agents: AgentReport[]
  documents: DocumentReport[]
}

export async function reportOf(
  store: Store,
  { plan, members, begun, book, beganMs, folder }: Runner,
  end: RunnerEnd,
): Promise<RunnerReport> {
  const agents = await Promise.all(
    members.map(async ({ agent_id, name }) => ({
      agent: agent_id,
      name,
      turns: book.turnsOf(agent_id),
      unread: await store.unread(agent_id),
      last: readAgentState(agentFolder(folder, name)).last,
    })),
  )
  const { run, started_at } = begun.instance
  return {
    ok: EXIT_OF_END[end.ended] === 0,
    instance: plan.instance,
    run,
    ...end,
    seconds: Math.round((performance.now() - beganMs) / 100) / 10,
    turns: book.turns(),
    entries: book.entries(),
    agents,
    documents: await changedSince(store, plan.instance, started_at),
  }
}

/** The documents that changed since the start, each with its last revision. */
async function changedSince(
  store: Store,
  instance: string,
  since: Instant,
): Promise<DocumentReport[]> {
  const revisions = await store.revisions({ instance, limit: MOST_DOCUMENTS })
  const last = new Map<string, DocumentReport>()
  for (const { file, revision, written_by: by, created_at } of revisions) {
    if (created_at >= since && !last.has(file)) last.set(file, { file, revision, by })
  }
  return [...last.values()].sort((one, other) => (one.file < other.file ? -1 : 1))
}
