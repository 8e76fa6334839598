import { isPerson } from '../agents/agent.ts'
import type { Instant } from '../time.ts'
import type { MessageKind } from '../vocabulary.ts'

/** Kept exactly as the sender wrote it; parsed only for display. */
export type JsonText = string

export type Artifact = {
  artifact_id: string
  message_id: string
  path: string
  kind: string
  metadata_json: JsonText
  created_at: Instant
}

/** One immutable entry in a thread. `seq` counts from 1 inside the thread. */
export type Message = {
  message_id: string
  thread_id: string
  seq: number
  from_agent: string
  /** In mail this is the address as written; the deliveries name the recipients. */
  to_agent: string
  kind: MessageKind
  summary: string
  body: string
  payload_json: JsonText
  created_at: Instant
  in_reply_to: string | null
  issue_id: string | null
  /** The agent the message is about, if that is not its writer. */
  agent_id: string | null
  /** The number of wakes between a person's message and this one. */
  hops: number
  /** Who imported the message, if it came from a file. The sender is then unverified: it's what the file claims. */
  imported_by: string | null
  artifacts: Artifact[]
}

export type NewArtifact = Pick<Artifact, 'path' | 'kind' | 'metadata_json'>

/** What the caller wrote. The other fields of the message are filled in when it's recorded. */
export type Words = {
  summary: string
  body: string
  /** JSON; left out if there is no data. */
  payload_json?: JsonText | undefined
  artifacts?: NewArtifact[] | undefined
  in_reply_to?: string | undefined
  issue_id?: string | undefined
  agent_id?: string | undefined
  hops?: number | undefined
}

/** Makes a subject for a message that has none. */
export function firstLine(text: string): string {
  const line = text.trim().split('\n')[0]?.trimEnd() ?? ''
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}

/**
 * A person's message has no hops. An agent's message has as many as the message it answers, or one more than the mail
 * that woke it. So two agents that keep waking each other eventually reach the limit.
 */
export function hopsOf(
  from: string,
  answered: Pick<Message, 'hops'> | null,
  ofTurn: number | null,
): number {
  if (isPerson(from)) return 0
  return Math.max(answered?.hops ?? 0, ofTurn === null ? 0 : ofTurn + 1)
}
