// One line of an entries file: a push as one record, in a form that other programs read and write. Unknown fields are
// kept and written back, so that a file survives a round trip. A line says what was pushed and never changes, so it
// doesn't include whether the push was read or trashed.

import { isAgentId } from '../../core/agents/address.ts'
import { CLIENTS } from '../../core/clients/client.ts'
import { SYSTEM } from '../../core/event.ts'
import type { LoggedPush } from '../../core/keeping/keeper.ts'
import { documentPath } from '../../core/pushes/document.ts'
import { isAgentSession, type Origin, type PushForm } from '../../core/pushes/push.ts'
import { PUSH_FORMS } from '../../core/pushes/push-record.ts'
import { mustBeShallow, readStored } from '../../core/shallow.ts'
import type { NewArtifact, Words } from '../../core/threads/message.ts'
import { epochMs, type Instant, toInstant } from '../../core/time.ts'
import { parseExactly } from '../kit/exact-json.ts'
import { body, choice, id, int, required, text } from '../kit/field.ts'
import { readInput } from '../kit/read-input.ts'
import { subjectOf } from '../pushes/push.ts'
import { isObject, objectIn } from './log-facts.ts'

/** The parts of a push, from the log or from a thread's tables. */
export type EntryParts = Pick<
  LoggedPush,
  'thread_id' | 'created_at' | 'workspace_id' | 'workspace_label' | 'form' | 'from_agent' | 'body'
> & {
  payload_json: string
  artifacts: Pick<NewArtifact[][number], 'path' | 'metadata_json'>[]
}

type ExtraFields = Record<string, unknown>
type Payload = { origin?: Origin; extra?: ExtraFields }
type Metadata = { sha256?: string; extra?: ExtraFields }

const REVISION = 'sha256:'

export function entryJson(parts: EntryParts): string {
  const { origin = {}, extra = {} } = readStored(parts.payload_json, parseExactly) as Payload
  const docs = parts.artifacts.map(({ path, metadata_json }) => {
    const { sha256, extra } = readStored(metadata_json, parseExactly) as Metadata
    return { path, ...(sha256 === undefined ? {} : { revision: REVISION + sha256 }), ...extra }
  })
  return JSON.stringify({
    id: parts.thread_id,
    ts: epochMs(parts.created_at),
    workspaceId: parts.workspace_id,
    ...(parts.workspace_label === '' ? {} : { workspaceLabel: parts.workspace_label }),
    ...(docs.length === 0 ? {} : { docs }),
    ...(parts.body === '' ? {} : { comments: parts.body }),
    ...(parts.from_agent === SYSTEM ? {} : { agent: parts.from_agent }),
    ...(parts.form === 'push' ? {} : { form: parts.form }),
    ...(Object.keys(origin).length === 0 ? {} : { origin }),
    ...extra,
  })
}

export type ImportedEntry = {
  id: string
  created_at: Instant
  workspace_id: string
  workspace_label: string
  form: PushForm
  /** Undefined if the line names no agent. */
  agent: string | undefined
  words: Words
}

const FIELDS = {
  id: required(id('an entry')),
  ts: required(int('milliseconds since 1970')),
  workspaceId: id('a workspace'),
  workspaceLabel: text('its label', { max: 200 }),
  comments: body('the comment'),
  form: choice(PUSH_FORMS, 'a push or a notification'),
}

const MOST_DOCS = 50
const MOST_EXTRA = 65_536
/** Ids are used in URL paths and shell commands. */
const ID = /^[A-Za-z0-9][A-Za-z0-9_.:-]*$/

export function parseEntryLine(line: string): ImportedEntry {
  const read = objectIn(line)
  const given = Object.entries(read).filter(([key]) => Object.hasOwn(FIELDS, key))
  if (typeof read.workspaceId !== 'string') throw new Error('workspaceId is missing')
  // Parsed exactly, so that unknown fields are written back unchanged.
  const { docs: givenDocs, agent, origin, ...rest } = parseExactly(line) as typeof read
  const raw = Object.fromEntries(given.filter(([, part]) => part !== ''))
  const input = readInput(FIELDS, raw, { agent: undefined })
  if (!ID.test(input.id)) throw new Error('id has other letters than an id may have')
  const { docs, artifacts } = docsOf(givenDocs)
  const comments = input.comments ?? ''
  if (docs.length === 0 && comments === '') throw new Error('it has neither docs nor comments')
  const known = isOrigin(origin)
  const extra: ExtraFields = {
    ...(origin === undefined || known ? {} : { origin }),
    ...(agent === undefined || isName(agent) ? {} : { agent }),
    ...Object.fromEntries(Object.entries(rest).filter(([key]) => !Object.hasOwn(FIELDS, key))),
  }
  const payload: Payload = {
    ...(known ? { origin: origin as Origin } : {}),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
  return {
    id: input.id,
    created_at: instantOf(input.ts),
    workspace_id: input.workspaceId ?? '',
    workspace_label: input.workspaceLabel ?? '',
    form: input.form ?? 'push',
    agent: isName(agent) ? agent : undefined,
    words: {
      summary: subjectOf(comments, docs),
      body: comments,
      payload_json: storableJson(payload),
      artifacts,
    },
  }
}

function instantOf(ts: number): Instant {
  const at = ts <= 253_402_300_799_999 ? toInstant(ts) : '9999'
  // Times are compared as strings, which works only for four-digit years.
  if (at < '9999') return at
  throw new Error('ts is not a time in milliseconds')
}

function docsOf(given: unknown): { docs: string[]; artifacts: NewArtifact[] } {
  if (given === undefined) return { docs: [], artifacts: [] }
  if (!Array.isArray(given) || given.length > MOST_DOCS) {
    throw new Error(`docs is not a list of at most ${MOST_DOCS}`)
  }
  const artifacts = given.map((doc: unknown) => {
    if (!isObject(doc) || typeof doc.path !== 'string') throw new Error('a doc has no path')
    const { path, revision, ...more } = doc
    documentPath(path as string, 'path')
    const sha256 = digestIn(revision)
    const other = sha256 === undefined && revision !== undefined ? { revision } : {}
    const extra = { ...other, ...more }
    const metadata: Metadata = {
      ...(sha256 === undefined ? {} : { sha256 }),
      ...(Object.keys(extra).length === 0 ? {} : { extra }),
    }
    return { path: path as string, kind: 'document', metadata_json: storableJson(metadata) }
  })
  return { docs: artifacts.map(({ path }) => path), artifacts }
}

function digestIn(revision: unknown): string | undefined {
  const text = typeof revision === 'string' ? revision : ''
  return /^sha256:[0-9a-f]{64}$/.test(text) ? text.slice(REVISION.length) : undefined
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && isAgentId(value) && value !== SYSTEM
}

function isOrigin(value: unknown): boolean {
  if (!isObject(value)) return false
  const { backend, session, folder, wake, ...more } = value
  const isText = (part: unknown) =>
    part === undefined || (typeof part === 'string' && part.length <= 4096)
  const isBackend = (CLIENTS as readonly unknown[]).includes(backend)
  return (
    Object.keys(more).length === 0 &&
    (backend === undefined || isBackend) &&
    (session === undefined || (isBackend && isAgentSession(session))) &&
    isText(folder) &&
    isText(wake)
  )
}

/** Returns the value as JSON, checked like all other input so that both engines can store it. */
function storableJson(value: object): string {
  const words = JSON.stringify(value)
  if (words.length > MOST_EXTRA) throw new Error('it holds too much that is not known here')
  mustBeShallow(words, 'it')
  if (/\\u0000|\\ud[89a-f]/i.test(words)) throw new Error('it holds what cannot be stored')
  return words
}
