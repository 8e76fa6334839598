// A push is what an agent shows a person: a comment, and pointers to documents that stay where they are.
//
// (1) A push is a separate thread, started by the agent and delivered to people. The entry's id is the thread's id.
// (2) Trashing is undone by restoring the push or by writing in it. Deleting can't be undone: the text, the list of
//     documents and every summary are erased. The store keeps only the fact that there was a push, whose it was and who
//     deleted it.
// (3) A push names its documents but doesn't store them. A digest from push time shows whether they changed since.
// (4) The origin of a push contains what the door knows about it. Unknown parts are left out, never made up.

import { CLIENTS, type ClientName } from '../clients/client.ts'
import { operation, refuse } from '../error.ts'
import type { Facts, SpokenEvent, ThreadEvent } from '../event.ts'
import type { Note } from '../note.ts'
import { readStored } from '../shallow.ts'
import type { RowFrom } from '../shape.ts'
import { newThread, type Stamp, say, silentEvent, spokenEvent } from '../threads/commands.ts'
import type { ThreadState } from '../threads/evolve.ts'
import type { Words } from '../threads/message.ts'
import { isFinished, statusAfter, type Thread } from '../threads/thread.ts'
import type { Instant } from '../time.ts'
import { deletedPush } from './push-kind.ts'
import type { PUSH_FIELDS, PUSH_FORMS } from './push-record.ts'

export type PushForm = (typeof PUSH_FORMS)[number]

export type Push = RowFrom<typeof PUSH_FIELDS>

export type Origin = {
  backend?: ClientName
  session?: string
  folder?: string
  wake?: string
}

/** A session an agent is working in, according to its program's hooks. */
export type Turn = {
  session: string
  backend: ClientName
  /** Empty if unknown. */
  folder: string
  began_at: Instant
}

export const TURN_BEGUN: Note<{ agent_id: string } & Turn> = { query: 'sighting_turn', quiet: true }
/** Notes that the turn in this session is over, as is every turn that began before `before`. */
export const TURN_OVER: Note<{ agent_id: string; session: string; before: Instant }> = {
  query: 'sighting_turn_over',
  quiet: true,
}

/** A killed program can't report the end of its turn, so a turn counts for at most this long. */
export const TURN_SECONDS = 6 * 3600

/** The session becomes an argument on a command line, so it must be a single word and not look like an option. */
const SESSION = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/

export function isAgentSession(value: unknown): value is string {
  return typeof value === 'string' && SESSION.test(value)
}

/** Keeps only the credible parts of an origin. */
export function credibleOrigin({
  backend,
  session,
  folder,
  wake,
}: { [Key in keyof Origin]: unknown }) {
  const known = CLIENTS.find((one) => one === backend)
  const origin: Origin = {
    ...(known === undefined ? {} : { backend: known }),
    ...(known !== undefined && isAgentSession(session) ? { session } : {}),
    ...(typeof folder === 'string' && /^(\/|[A-Za-z]:[\\/])/.test(folder) ? { folder } : {}),
    ...(typeof wake === 'string' ? { wake } : {}),
  }
  return origin
}

/** Checks the origin again, because the store or its contents may have been created elsewhere. */
export function storedOrigin(payload_json: string): Origin {
  const stored = readStored(payload_json) as { origin?: object | null } | null
  return credibleOrigin(Object(stored?.origin))
}

export type PushWish = {
  entry_id: string
  from: string
  recipients: string[]
  workspace_id: string
  workspace_label: string
  form: PushForm
  words: Words
  /** For an imported push: when it was made, and who imported it. */
  made?: { made_at: Instant; imported_by: string } | undefined
}

export function push(want: PushWish, stamp: Stamp): SpokenEvent {
  const { entry_id: thread_id, from, words, recipients, workspace_id, workspace_label, form } = want
  const said = { from, to: 'user', kind: 'custom', words } as const
  const thread = newThread(thread_id)
  const facts = { recipients, workspace_id, workspace_label, form, ...want.made }
  const event = spokenEvent(thread, say(thread, said, stamp), { type: 'push_send', ...facts })
  const { made_at = stamp.now, imported_by = null } = want.made ?? {}
  return { ...event, message: { ...event.message, created_at: made_at, imported_by } }
}

export function isPush(thread: Thread | undefined): thread is Thread & { kind: 'push' } {
  return thread?.kind === 'push'
}

export function mustBePush(thread: Thread): void {
  if (!isPush(thread)) {
    const { thread_id, kind } = thread
    throw refuse.not_found`${thread_id} is a thread of ${kind} and not a push; see ${operation('push history')}`
  }
  if (isFinished(thread)) throw deletedPush(thread.thread_id)
}

type PushAct = 'trash' | 'restore' | 'delete'

export function handlePush(
  { thread }: ThreadState,
  want: { act: PushAct; by: string; recipients: string[] },
  now: Instant,
): ThreadEvent | null {
  mustBePush(thread)
  const { act, by, recipients } = want
  if (act === 'trash' && thread.status === 'trashed') return null
  if (act === 'restore' && thread.status === 'open') return null
  if (statusAfter(thread, act) === undefined) throw deletedPush(thread.thread_id)
  const facts: Facts =
    act === 'delete' ? { type: 'push_delete', recipients } : { type: `push_${act}` }
  return silentEvent(thread, by, now, facts)
}
