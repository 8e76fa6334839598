// The shape of the catalogue. An operation is one file: what it is called, what it takes, what it may
// refuse, who may call it, and what it does. Doors are projections of this and add nothing to it.

import { isPerson } from '../../core/agents/agent.ts'
import type { Bell } from '../../core/bell.ts'
import type { ContextFiles } from '../../core/channels/context-files.ts'
import { type Code, refuse } from '../../core/error.ts'
import { SYSTEM } from '../../core/event.ts'
import type { MakeId } from '../../core/id.ts'
import type { Folders } from '../../core/identity/workspace.ts'
import type { Evidence } from '../../core/inbox/delivery.ts'
import type { Caller, Principal, ToolSet } from '../../core/principal.ts'
import type { Documents } from '../../core/pushes/document.ts'
import { canonicalText } from '../../core/requests/canonical.ts'
import { operation, sentence } from '../../core/sentence.ts'
import type { Idempotency, LockedThread, Store, Tx } from '../../core/store.ts'
import type { Stamp } from '../../core/threads/commands.ts'
import { type Holder, isLive } from '../../core/threads/lease.ts'
import type { Words } from '../../core/threads/message.ts'
import type { AllowedCommands } from '../../core/waking/launch.ts'
import type { Afterwards } from './afterwards.ts'
import type { HoldsOf } from './answer.ts'
import { doingFirst } from './do-first.ts'
import { type ArtifactInput, type Fields, type Input, text } from './field.ts'
import type { Files } from './files.ts'
import type { ForDoors } from './for-doors.ts'
import { readInput } from './read-input.ts'
import type { AtShell, Shell } from './shell.ts'
import { summaryOf } from './summary.ts'

/**
 * The callers of an operation: doors with tokens enforce them; on a local store the file's permissions do.
 */
export const ANYONE: readonly Caller[] = ['agent', 'person', 'service', 'system']
export const OPERATORS: readonly Caller[] = ['person', 'service', 'system']
/** For operations that decide who else may come in, or what may be seen. */
export const PEOPLE: readonly Caller[] = ['person', 'system']

export type Context = {
  store: Store
  bell: Bell
  /** `principal` where the door knows who it is: at a server's. */
  caller: { agent: string | undefined; principal?: Principal }
  /** The way by which the answer goes out. It is the evidence for what was presented. */
  door: Evidence
  makeId: MakeId
  /** The digest of a call, which shows its repetition. */
  digest: (text: string) => Promise<string>
  signal: AbortSignal
  /** Does this once the answer is out. */
  later: Afterwards['later']
  /** Files of the caller: only at doors where the caller's files are ours, that is the shell. */
  files?: Files
  /** The folders of the machine the store is used from. */
  folders: Folders
  /** The files in them. */
  documents: Documents
  /** The documents of instances, and the folders they are in. */
  contextFiles: ContextFiles
  /** How far that machine's clock on the wall is ahead of UTC then, in minutes. */
  offsetMinutes: (epochMs: number) => number
  /** The commands that the store may start on that machine. */
  allowedCommands: AllowedCommands
  /**
   * Where the call comes from, as the transport says it and never the caller's words. Not yet doubted. The program is
   * the agent's whose shell it is.
   */
  origin?: { backend?: string; session?: string; folder?: string; program?: string }
  /**
   * Starts the owner's terminal with a command, if one is configured: in the shell, and at a server that only the
   * owner's machine reaches.
   */
  terminal?: StartTerminal
  /** Tells a person at a terminal how far a long call has come. */
  progress?: ((words: string) => void) | undefined
  /** Other doors do not have it. */
  shell?: Shell
}

export type StartTerminal = (
  command: readonly string[],
  folder: string | undefined,
) => Promise<void>

/** The part of a context that comes with a store. */
export type StoreContext = Pick<
  Context,
  'store' | 'bell' | 'folders' | 'documents' | 'contextFiles' | 'offsetMinutes' | 'allowedCommands'
>

/** A context without a store. */
export type BareContext = Omit<Context, keyof StoreContext>

/** The way of an operation that makes no store, where there is none. */
export type Storeless<F extends Fields, R extends object> = {
  run: (context: AtShell<BareContext>, input: Input<F>) => Promise<R>
  /** Calls that have no need of one, though it be there. */
  when?: (input: Input<F>) => boolean
  /** Calls that make one after all. */
  makes?: (input: Input<F>) => boolean
}

/**
 * How much a call changes of the store. Marks are what follows from looking: who was there, what was shown
 * or read, which lease is kept by waiting or found lapsed.
 */
export type Writes = 'nothing' | 'marks' | 'store'

export type Operation<F extends Fields = Fields, R extends object = object> = ForDoors<R> & {
  name: string
  /** A call at the shell, as somebody might type it after `inbox`. A test runs it. */
  example?: string
  summary: string
  /** More for help and reference: when to use it, what it promises. */
  about?: string
  fields: F
  /** The operation takes an idempotency key. */
  takesKey: boolean
  writes: Writes
  /** A token that is limited to sets must have this one; `every` and `none` stand for all such tokens and for none. */
  set: ToolSet | 'every' | 'none'
  callers: readonly Caller[]
  refusals: readonly Code[]
  /** Checks of the input that concern several fields; they run before a store is touched. */
  check?: (input: Input<F>) => void
  /** The operation may sleep for long, so doors must be able to interrupt it. */
  blocks?: true
  /** The operation runs until it is interrupted, which is no failure. Its store is for many calls. */
  lasts?: true
  /** The output goes out through `files` as it is made; the result only sums it up. */
  streams?: true
  /**
   * The operation decides who comes in, what runs or what may be seen: a browser's session is not proof
   * enough.
   */
  guarded?: true
  /** The operation decides requests: people call it, and services that a person granted it to (authorise.ts). */
  decides?: true
  /**
   * The operation opens a window before the owner of the machine: at a server only the owner's own page may call it,
   * which shows a key that no other program has.
   */
  opensWindow?: true
  /** At the shell it makes no store. */
  storeless?: Storeless<F, R>
  /** The operation is offered only where the machine is the caller's own, or at the shell alone. */
  at?: 'machine' | 'shell'
  /** Called by the program itself: it works, but no help, completion or reference names it. */
  internal?: true
  /** True when there was no work or no mail, or the wait ran out: exit 10 in the shell. A list may be empty. */
  nothing?: (result: R) => boolean
  /** The call worked, but what it found is as bad as a refusal of this code. */
  verdict?: (result: R) => Code | undefined
  run: (context: Context, input: Input<F>) => Promise<R & StopNote>
}

/** Refusals any operation can meet at the store itself. */
const STORE_REFUSALS: readonly Code[] = ['busy', 'store_unusable', 'internal']

/** An operation as its file says it. The compiler holds `answer` to what `run` returns. */
export type Definition<F extends Fields, R extends object> = Omit<
  Operation<F, R>,
  'takesKey' | 'answer'
> & { answer: HoldsOf<NoInfer<R>> }

/** Defines an operation that changes nothing of the store. */
export function query<F extends Fields, R extends object>(
  op: Omit<Definition<F, R>, 'writes'>,
): Operation<F, R> {
  return action({ ...op, writes: 'nothing' })
}

/** Defines an operation that needs no key: repeating it does no harm. */
export function action<F extends Fields, R extends object>(op: Definition<F, R>): Operation<F, R> {
  return { ...op, takesKey: false, refusals: [...op.refusals, ...STORE_REFUSALS] }
}

const KEY = {
  idempotency_key: text('makes a retry with the same key return the first answer', { max: 200 }),
}

export type WithKey<F extends Fields> = F & typeof KEY

/** A mutation takes an idempotency key beside its own fields. */
export function mutation<F extends Fields, R extends object>(
  op: Omit<Definition<WithKey<F>, R>, 'fields' | 'writes'> & { fields: F },
): Operation<WithKey<F>, R> {
  return {
    ...op,
    fields: { ...op.fields, ...KEY },
    takesKey: true,
    writes: 'store',
    refusals: [...op.refusals, ...STORE_REFUSALS],
  }
}

/** The words of a call as the operation takes them, or a refusal. For every door the same. */
export function inputFor<F extends Fields>(
  { fields, check }: Pick<Operation<F>, 'fields' | 'check'>,
  raw: Record<string, unknown>,
  caller: Context['caller'],
): Input<F> {
  const input = readInput(fields, raw, caller)
  check?.(input)
  return input
}

export type Call = {
  op: string
  agent: string
  input: object & { idempotency_key?: string | undefined }
  /** The agent may only be spoken of: its name alone is no sign of its life. */
  isOfAnother?: boolean
}

/**
 * An operation that has asked for a word to stop together with its own questions, and found none, names here for whom
 * it asked. The runner then does not ask again: that would be a round trip for every call.
 */
export type StopNote = {
  notStopped?: string | undefined
  /** The agent for which a call without a name was made, as the operation found out: it hears the word too. */
  spokeFor?: string | undefined
}

export type WithCursor<T> = T & { next_event_id: number } & StopNote

/** Runs one unit of work, once per idempotency key, and adds the log's position to its answer. */
export async function commit<T extends object>(
  context: Context,
  call: Call,
  work: (tx: Tx) => Promise<T>,
): Promise<WithCursor<T>> {
  const idempotency = await idempotencyOf(context, call)
  let notStopped: string | undefined
  const unit = async (tx: Tx) => {
    // The word to stop is read together with the first read of the work, which costs no trip and no
    // connection of its own. It is awaited after the work, whose refusal comes first.
    const stop = tx.stopFor(call.agent, threadIn(call.input))
    stop.catch(() => {})
    const value = await work(tx)
    notStopped = (await stop) === null ? call.agent : undefined
    if (isCaller(context, call)) tx.sightCaller(call.agent)
    return value
  }
  const written = () => context.store.write(unit, idempotency)
  const { value, eventId } = await doingFirst(context, written)
  return { ...value, next_event_id: eventId, notStopped }
}

/** The thread that a call is about, if it names one. */
export function threadIn(input: object): string | undefined {
  return 'thread' in input && typeof input.thread === 'string' ? input.thread : undefined
}

export async function idempotencyOf(
  { digest }: Context,
  { op, agent, input }: Call,
): Promise<Idempotency | undefined> {
  const { idempotency_key: key, ...fields } = input
  if (key === undefined) return undefined
  return { agent, key, requestHash: await digest(callText(op, fields)), fresh: false }
}

/** The same call gives the same text, whatever order its fields came in. JSON leaves out what was not given. */
function callText(op: string, fields: object): string {
  return canonicalText(JSON.parse(JSON.stringify([op, fields])))
}

/** Whether an agent calls for itself. Where nobody says who calls, whoever is to have done it does. */
export function isCaller(
  { caller }: Pick<Context, 'caller'>,
  { agent, isOfAnother = false }: { agent: string; isOfAnother?: boolean },
): boolean {
  if (isPerson(agent) || agent === SYSTEM) return false
  return caller.agent === undefined ? !isOfAnother : caller.agent === agent
}

export function stamp(context: Context, now: string, words?: Words): Stamp {
  return {
    now,
    messageId: context.makeId('message'),
    // Sorted, because artifacts are read back in the order of their ids.
    artifactIds: (words?.artifacts ?? []).map(() => context.makeId('artifact')).sort(),
  }
}

export async function lockThread(tx: Tx, threadId: string): Promise<LockedThread> {
  const locked = await tx.lock(threadId)
  if (locked === null) throw unknownThread(threadId)
  return locked
}

export function unknownThread(threadId: string) {
  return refuse('not_found', sentence`there is no thread ${threadId}; see ${operation('list')}`, {
    thread_id: threadId,
  })
}

export async function holderOf(
  tx: Tx,
  { state, now }: LockedThread,
  agent: string,
  token: string | undefined,
): Promise<Holder> {
  // History is asked only when the present cannot answer.
  const { lease, thread } = state
  const held = lease?.agent_id === agent
  const everHeld = held || (!isLive(lease, now) && (await tx.everHeld(thread.thread_id, agent)))
  return { agent, token, everHeld }
}

export type WordsInput = {
  summary?: string | undefined
  body?: string | undefined
  payload_json?: string | undefined
  artifacts?: ArtifactInput[] | undefined
}

export function wordsFrom(input: WordsInput): Words {
  return {
    summary: summaryOf(input),
    body: input.body ?? '',
    payload_json: input.payload_json ?? '{}',
    artifacts: input.artifacts ?? [],
  }
}
