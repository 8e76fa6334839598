// Resolves short ids in the input of a call. Loaded only if an id is short. Threads the caller may not see aren't
// candidates, so callers can't discover them by guessing.
// (1) An id that exists exactly as written is used as is, however short it is.
// (2) If there are several candidates, the call is refused and their subjects are listed.
// (3) If there is no candidate, the operation itself refuses the id, like any unknown id.

import { operation, quote, Refusal, refuse, sentence } from '../core/error.ts'
import { PREFIXES } from '../core/id.ts'
import type { ThreadKind } from '../core/kinds.ts'
import { type IdRange, prefixOf, rangeOf, shortId } from '../core/short-id.ts'
import { sees, type Viewer, viewerNamed } from './inbox/visible-thread.ts'
import type { Fields } from './kit/field.ts'
import { type IdField, isIdField } from './kit/id-fields.ts'
import type { Context } from './kit/operation.ts'

/** What the ids in a field refer to. A field name means the same thing in every operation. */
type IdTarget = {
  kind: 'thread' | 'message' | 'agent_run' | 'workspace'
  threads?: ThreadKind
  orMessage?: true
  one: string
  /** The prefixes its ids may have. Entry ids have none. */
  prefixes: readonly string[]
}

const ENTRY: IdTarget = { kind: 'thread', threads: 'push', one: 'push', prefixes: [] }
const THREAD: IdTarget = {
  kind: 'thread',
  one: 'thread',
  prefixes: [PREFIXES.thread, PREFIXES.request],
}
const MESSAGE: IdTarget = { kind: 'message', one: 'message', prefixes: [PREFIXES.message] }

/** Threads and messages, which can both be replied to. */
const REPLIED: IdTarget = {
  kind: 'thread',
  one: 'thread',
  orMessage: true,
  prefixes: [...THREAD.prefixes, ...MESSAGE.prefixes],
}

const TARGETS: Record<IdField, IdTarget> = {
  thread: THREAD,
  threads: THREAD,
  around: THREAD,
  entry: ENTRY,
  entries: ENTRY,
  request: { kind: 'thread', threads: 'request', one: 'request', prefixes: [PREFIXES.request] },
  message: MESSAGE,
  messages: MESSAGE,
  in_reply_to: MESSAGE,
  after_message: MESSAGE,
  agent_run: { kind: 'agent_run', one: 'agent run', prefixes: [PREFIXES['agent run']] },
  workspace: { kind: 'workspace', one: 'workspace', prefixes: [PREFIXES.workspace] },
}

type NamedId = { id: string; words: string }

/** One more than we list, to detect whether there are others. */
const MOST = 6

/** Replaces every short id in the input with the full id. */
export async function resolveIds(
  context: Context,
  fields: Fields,
  input: Record<string, unknown>,
  caller: string | undefined,
): Promise<void> {
  const { principal } = context.caller
  const viewer = principal ?? (caller === undefined ? undefined : viewerNamed(caller))
  for (const [key, value] of Object.entries(input)) {
    if (!isIdField(key, fields)) continue
    const target = fields[key]?.orMessage ? REPLIED : TARGETS[key]
    if (typeof value === 'string') input[key] = await resolved(context, viewer, target, value)
    else if (Array.isArray(value)) {
      const whole: string[] = []
      for (const one of value) whole.push(await resolved(context, viewer, target, String(one)))
      input[key] = [...new Set(whole)]
    }
  }
}

async function resolved(
  context: Context,
  viewer: Viewer | undefined,
  target: IdTarget,
  words: string,
): Promise<string> {
  const range = rangeOf(words)
  if (range === undefined) {
    await mustNotBeTooShort(context, target, words)
    return words
  }
  const prefix = prefixOf(words)
  if (prefix !== undefined && !target.prefixes.includes(prefix)) {
    throw await ofAnotherKind(context, viewer, target, words, prefix)
  }
  const found = await candidates(context, viewer, target, range)
  const fitting = prefix === undefined ? found : found.filter(({ id }) => id.startsWith(prefix))
  const same = fitting.find(({ id }) => id === words)
  const [only] = new Set(fitting.map(({ id }) => id))
  if (same !== undefined) return words
  if (only === undefined) {
    if (prefix === undefined) await mustBeOfNoOtherKind(context, viewer, target, words, range)
    return words
  }
  if (fitting.every(({ id }) => id === only)) return only
  throw ambiguous(words, fitting)
}

async function candidates(
  { store }: Pick<Context, 'store'>,
  viewer: Viewer | undefined,
  { kind, threads, orMessage }: IdTarget,
  range: IdRange,
): Promise<NamedId[]> {
  const isSeen = async (thread: Parameters<typeof sees>[2]) =>
    viewer === undefined || (await sees(store, viewer, thread))
  if (kind === 'message') {
    const found: NamedId[] = []
    for (const { message_id, thread_id, summary } of await store.like('message', range, MOST)) {
      const state = viewer === undefined ? undefined : await store.thread(thread_id)
      if (state === undefined || (state !== null && (await isSeen(state.thread)))) {
        found.push({ id: message_id, words: summary })
      }
    }
    return found
  }
  if (kind === 'agent_run') {
    const runs = await store.like('agent_run', range, MOST)
    const own = runs.filter(({ agent_id }) => viewer?.kind !== 'agent' || viewer.name === agent_id)
    return own.map(({ agent_run_id, agent_id }) => ({ id: agent_run_id, words: agent_id }))
  }
  if (kind === 'workspace') {
    const all = (await store.workspaces()).map(({ workspace_id, label }) => ({
      id: workspace_id,
      words: label,
    }))
    return all.filter(({ id }) => isLike(id, range))
  }
  const found = orMessage ? await candidates({ store }, viewer, MESSAGE, range) : []
  for (const thread of await store.like('thread', range, MOST)) {
    if (threads !== undefined && thread.kind !== threads) continue
    if (await isSeen(thread)) found.push({ id: thread.thread_id, words: thread.subject })
  }
  return found
}

function isLike(id: string, { from, chance }: IdRange): boolean {
  return id.startsWith(from) || id.slice(id.indexOf('_') + 11).startsWith(chance)
}

function ambiguous(words: string, found: NamedId[]) {
  const named = found
    .slice(0, MOST - 1)
    .map(({ id, words: subject }) => `${longer(id, words)} ${quote(subject)}`)
  const more = found.length >= MOST ? ' and more' : ''
  return new Refusal(
    'invalid_input',
    `${quote(words)} is short for several: ${named.join(', ')}${more}; give more letters`,
    { candidates: found.slice(0, MOST - 1).map(({ id }) => id) },
  )
}

/** The short id with four more characters than were typed, so that candidates differ. */
function longer(id: string, words: string): string {
  const short = shortId(id)
  const at = id.indexOf(short)
  return id.slice(at, at + Math.max(short.length, words.length + 4))
}

/** Refuses ids too short to look up, unless they exist as written: imported ids can have any form. */
async function mustNotBeTooShort({ store }: Context, { kind, one }: IdTarget, words: string) {
  if (!/^(?:[a-z]{2,3}_)?[0-9a-z]{1,3}$/i.test(words)) return
  if (kind !== 'thread' && kind !== 'message') return
  if ((await store.thread(words)) !== null || (await store.message(words)) !== null) return
  throw refuse.not_found`there is no ${one} ${words}, and as a short id it is too short: give at least 4 letters`
}

const OTHERS: Record<ThreadKind, string> = {
  work: 'thread',
  mail: 'thread',
  push: 'push',
  request: 'request',
  channel: 'channel',
  document: 'revision of a document',
}

/** If the id matches something of another kind instead, refuses the call and says what it matched. */
async function mustBeOfNoOtherKind(
  context: Context,
  viewer: Viewer | undefined,
  { kind, one, threads, orMessage }: IdTarget,
  words: string,
  range: IdRange,
): Promise<void> {
  if (kind !== 'thread' && kind !== 'message') return
  const { store } = context
  const details = { is_other: true }
  if (kind === 'message' || threads !== undefined) {
    const [found] = await candidates(context, viewer, THREAD, range)
    const state = found && (await store.thread(found.id))
    if (state) {
      const { kind: of, subject, thread_id } = state.thread
      const other = OTHERS[of]
      throw new Refusal(
        'not_found',
        sentence`${words} is ${anyOf(other)}, ${quote(subject)}, not ${anyOf(one)}; see ${operation('show', { thread: thread_id })}`,
        details,
      )
    }
  }
  if (kind === 'message' || orMessage) return
  const [found] = await candidates(context, viewer, MESSAGE, range)
  const message = found && (await store.message(found.id))
  if (!message) return
  const { thread_id: thread } = message
  throw new Refusal(
    'not_found',
    sentence`${words} is a message, of thread ${shortId(thread)}, not ${anyOf(one)}; see ${operation('show', { thread })}`,
    details,
  )
}

async function ofAnotherKind(
  { store }: Context,
  viewer: Viewer | undefined,
  { one }: IdTarget,
  words: string,
  prefix: string,
) {
  const [other = ''] = Object.entries(PREFIXES).find(([, known]) => known === prefix) ?? []
  const said = `${words} is ${anyOf(other)}, not ${anyOf(one)}`
  if (one !== 'thread' || other !== 'message') return refuse.not_found`${said}`
  const state = await threadOf(store, words)
  const isSeen = state && (viewer === undefined || (await sees(store, viewer, state)))
  if (!isSeen) return refuse.not_found`${said}`
  return refuse.not_found`${said}; it is in ${operation('show', { thread: state.thread_id })}`
}

function anyOf(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}

async function threadOf(store: Context['store'], messageId: string) {
  const message = await store.message(messageId)
  return message && ((await store.thread(message.thread_id))?.thread ?? null)
}
