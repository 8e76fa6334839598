// The lines that a runner tells while it works: one for each thing that happened, as data.

import type { ChannelEntry } from '../core/workflows/channel.ts'
import type { InstanceEnd } from '../core/workflows/instance.ts'
import type { TurnLogLine } from './turn-log.ts'

export type RunLine =
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

/** One agent of a run, as it stands and as its results name it. */
export type AgentReport = {
  agent: string
  name: string
  turns: number
  unread: number
  /** The end of what its last turn said. */
  last: string
}

export type DocumentReport = { file: string; revision: number; by: string }

/** Only in reports with `ok` false. */
export type RunError = { code: InstanceEnd; message: string }

export type RunReport = {
  /** Whether it ended as it should: the shell's exit code is 0. */
  ok: boolean
  error?: RunError
  instance: string
  run: number
  ended: InstanceEnd
  /** Says more about the end, where there is more to say. */
  why: string
  seconds: number
  turns: number
  entries: number
  agents: AgentReport[]
  documents: DocumentReport[]
}
