// The shape of the catalogue. An operation is one file: what it is called, what it takes, what it may
// refuse, who may call it, and what it does. Doors are projections of this and add nothing to it.

import type { Bell } from '../../core/bell.ts'
import type { Code } from '../../core/error.ts'
import type { MakeId } from '../../core/id.ts'
import type { Folders } from '../../core/identity/workspace.ts'
import type { Evidence } from '../../core/inbox/delivery.ts'
import type { Caller, Principal, ToolSet } from '../../core/principal.ts'
import type { Documents } from '../../core/pushes/document.ts'
import type { Store } from '../../core/store.ts'
import type { AllowedCommands } from '../../core/waking/launch.ts'
import type { InstanceFiles } from '../../core/workflows/instance-files.ts'
import type { Afterwards } from './afterwards.ts'
import type { AnswerOf, Holds, NothingBeside } from './answer.ts'
import { type Fields, type Input, text } from './field.ts'
import type { Files } from './files.ts'
import type { ForDoors } from './for-doors.ts'
import { readInput } from './read-input.ts'
import type { AtShell, Shell } from './shell.ts'

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
  instanceFiles: InstanceFiles
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
  'store' | 'bell' | 'folders' | 'documents' | 'instanceFiles' | 'offsetMinutes' | 'allowedCommands'
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

/**
 * An operation as its file declares it. The type of its answer derives from `answer`; `run` must return that, and
 * nothing that is not described.
 */
export type Definition<F extends Fields, H extends Holds, R> = Omit<
  Operation<F, AnswerOf<H>>,
  'takesKey' | 'answer' | 'run'
> & {
  answer: H & NothingBeside<NoInfer<R>, H & StopNote>
  run: (context: Context, input: Input<F>) => Promise<R>
}

/** Defines an operation that changes nothing in the store. */
export function query<F extends Fields, H extends Holds, R extends AnswerOf<H>>(
  op: Omit<Definition<F, H, R>, 'writes'>,
): Operation<F, AnswerOf<H>> {
  return define({ ...op, takesKey: false, writes: 'nothing' })
}

/** Defines an operation that needs no key: repeating it does no harm. */
export function action<F extends Fields, H extends Holds, R extends AnswerOf<H>>(
  op: Definition<F, H, R>,
): Operation<F, AnswerOf<H>> {
  return define({ ...op, takesKey: false })
}

const KEY = {
  idempotency_key: text('makes a retry with the same key return the first answer', { max: 200 }),
}

export type WithKey<F extends Fields> = F & typeof KEY

/** A mutation takes an idempotency key beside its own fields. */
export function mutation<F extends Fields, H extends Holds, R extends AnswerOf<H>>(
  op: Omit<Definition<WithKey<F>, H, R>, 'fields' | 'writes'> & { fields: F },
): Operation<WithKey<F>, AnswerOf<H>> {
  const fields: WithKey<F> = { ...op.fields, ...KEY }
  return define({ ...op, fields, takesKey: true, writes: 'store' })
}

export function define<F extends Fields, R extends object>(op: Operation<F, R>): Operation<F, R> {
  return { ...op, refusals: [...op.refusals, ...STORE_REFUSALS] }
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

/**
 * An operation that has asked for a word to stop together with its own questions, and found none, names here for whom
 * it asked. The runner then does not ask again: that would be a round trip for every call.
 */
export type StopNote = {
  notStopped?: string | undefined
  /** The agent for which a call without a name was made, as the operation found out: it hears the word too. */
  spokeFor?: string | undefined
}

/** Whether a call may sleep until something happens. */
export function isWait({ blocks, fields }: Operation, input: object): boolean {
  const { timeout_seconds: given = 0 } = input as { timeout_seconds?: number }
  return blocks === true && (fields.timeout_seconds?.default !== undefined || given > 0)
}

/**
 * Whether a call makes the store where there is none. An agent that waits for mail is known from then on,
 * which is more than a mark. A call about something by its id finds nothing in an empty store, and a dry
 * run keeps nothing: for them, as for looks, an empty store in memory does as well.
 */
export function mayMakeStore(op: Operation, input: object & { dry_run?: boolean }): boolean {
  const isAboutOne = Object.keys(input).some((key) => op.fields[key]?.kind === 'id')
  const keeps = op.writes === 'store' || (op.writes === 'marks' && isWait(op, input))
  return keeps && !isAboutOne && !input.dry_run
}
