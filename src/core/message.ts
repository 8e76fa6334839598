import type { Instant } from './time.ts'

export const MESSAGE_KINDS = [
  'task',
  'progress',
  'question',
  'answer',
  'result',
  'control',
  'event',
] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

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
  to_agent: string
  kind: MessageKind
  summary: string
  body: string
  payload_json: JsonText
  created_at: Instant
  artifacts: Artifact[]
}

/** What a caller says; the rest of a message is filled in where it is recorded. */
export type Words = {
  summary: string
  body: string
  payload_json: JsonText
  artifacts: { path: string; kind: string; metadata_json: JsonText }[]
}
