import type { Instant } from '../time.ts'
import type { MessageKind } from '../vocabulary.ts'

/** Kept word for word as the sender wrote it; parsed only where it is shown. */
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
  /** In mail the address as it was written; its deliveries say whom that was. */
  to_agent: string
  kind: MessageKind
  summary: string
  body: string
  payload_json: JsonText
  created_at: Instant
  in_reply_to: string | null
  issue_id: string | null
  /** The agent it is about, where that is not who wrote it. */
  agent_id: string | null
  /** How many wakes lie between a person's words and this message. */
  hops: number
  /** Of what came from a file: who brought it in. What it says of its sender is what the file says. */
  imported_by: string | null
  artifacts: Artifact[]
}

/** What a caller says; the rest of a message is filled in where it is recorded. */
export type Words = {
  summary: string
  body: string
  payload_json: JsonText
  artifacts: { path: string; kind: string; metadata_json: JsonText }[]
  in_reply_to?: string | undefined
  issue_id?: string | undefined
  agent_id?: string | undefined
  hops?: number | undefined
}
