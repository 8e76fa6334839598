// The shape of the catalogue. An operation is one file: its name, its fields, which refusals it can give, who may call
// it, and what it does. Doors are projections of the catalogue and add nothing to it.

import type { Code } from '../../core/error.ts'
import type { House } from '../../core/house.ts'
import type { Evidence } from '../../core/inbox/delivery.ts'
import type { Caller, Principal, ToolSet } from '../../core/principal.ts'
import type { Afterwards } from './afterwards.ts'
import type { AnswerOf, Holds, NothingBeside } from './answer.ts'
import { type Fields, type Input, text } from './field.ts'
import type { Files } from './files.ts'
import type { ForDoors } from './for-doors.ts'
import { readInput } from './read-input.ts'
import type { AtShell, Shell } from './shell.ts'

/** Who may call an operation. Doors with tokens enforce this; on a local store the file's permissions do. */
export const ANYONE: readonly Caller[] = ['agent', 'person', 'service', 'system']
export const OPERATORS: readonly Caller[] = ['person', 'service', 'system']
/** For operations that decide who else gets access, or what may be seen. */
export const PEOPLE: readonly Caller[] = ['person', 'system']

export type Context = House & {
  /** `principal` is set if the door has identified the caller, as a server's doors do. */
  caller: { agent: string | undefined; principal?: Principal }
  /** How the answer is sent. Recorded as evidence when a message counts as presented. */
  door: Evidence
  signal: AbortSignal
  /** Runs work after the answer has been sent. */
  later: Afterwards['later']
  /** Filled in by `commit` and `waitAs`, and by operations that look for a stop message themselves. */
  stopCheck: StopCheck
  /** The caller's files, set only in the shell, where they're on our machine. */
  files?: Files
  /**
   * Where the call came from according to the transport, not the caller. Not yet validated. `program` is the program of
   * the agent whose shell made the call.
   */
  origin?: { backend?: string; session?: string; folder?: string; program?: string }
  /**
   * Starts the owner's terminal with a command, if one is configured. Set in the shell, and at a server that only the
   * owner's machine can reach.
   */
  terminal?: StartTerminal
  /** Tells a person at a terminal how far along a long call is. */
  progress?: ((words: string) => void) | undefined
  shell?: Shell
}

/** What a call has learned about stop messages. If there is a stop message, the runner adds it to the answer. */
export type StopCheck = {
  /**
   * The agent for which the operation already checked for a stop message, along with its other reads, and found none.
   * Checking again would cost every call a round trip.
   */
  notStopped?: string | undefined
  /** Set if a call without a name turned out to be made for this agent, which then gets stop messages too. */
  spokeFor?: string | undefined
}

export type StartTerminal = (
  command: readonly string[],
  folder: string | undefined,
) => Promise<void>

export type BareContext = Omit<Context, Exclude<keyof House, 'makeId' | 'digest'>>

/** How an operation runs without a store, and without making one. */
export type Storeless<F extends Fields, R extends object> = {
  run: (context: AtShell<BareContext>, input: Input<F>) => Promise<R>
  /** True for calls that don't need a store even if there is one. */
  when?: (input: Input<F>) => boolean
  makes?: (input: Input<F>) => boolean
}

/**
 * How much a call changes in the store. Marks are side effects of reading: who was seen, what was shown or read, which
 * lease a wait renewed or found lapsed.
 */
export type Writes = 'nothing' | 'marks' | 'store'

export type Operation<F extends Fields = Fields, R extends object = object> = ForDoors<R> & {
  name: string
  /** A shell call as a user might type it after `inbox`. A test runs it. */
  example?: string
  summary: string
  /** More text for help and reference: when to use it, what it guarantees. */
  about?: string
  fields: F
  takesKey: boolean
  writes: Writes
  /** A token limited to sets must include this one. `every` accepts all limited tokens, `none` accepts none. */
  set: ToolSet | 'every' | 'none'
  callers: readonly Caller[]
  refusals: readonly Code[]
  /** Checks that involve several fields; they run before a store is touched. */
  check?: (input: Input<F>) => void
  /** The operation may wait for a long time, so doors must be able to interrupt it. */
  blocks?: true
  /** The operation runs until interrupted, which isn't a failure. Its store serves many calls. */
  lasts?: true
  /** The output is written to `files` as it's produced; the result only summarizes it. */
  streams?: true
  /** The operation decides who gets in, what runs or what may be seen: a browser's session isn't proof enough. */
  guarded?: true
  /** The operation decides requests: only people and services allowed by a person may call it (authorise.ts). */
  decides?: true
  /**
   * The operation opens a window on the owner's screen: at a server only the owner's page may call it, which presents
   * a key that no other program has.
   */
  opensWindow?: true
  /** How the operation runs in the shell without creating a store. */
  storeless?: Storeless<F, R>
  /** The operation is available only on the caller's own machine, or only in the shell. */
  at?: 'machine' | 'shell'
  /** Called by the program itself: it works, but help, completion and reference don't list it. */
  internal?: true
  /** True if there was no work or mail, or the wait timed out (shell exit code 10). Other empty lists don't count. */
  nothing?: (result: R) => boolean
  /** The call worked, but what it found is as bad as a refusal with this code. */
  verdict?: (result: R) => Code | undefined
  run: (context: Context, input: Input<F>) => Promise<R>
}

/** Refusals that any operation can get from the store itself. */
const STORE_REFUSALS: readonly Code[] = ['busy', 'store_unusable', 'internal']

/** An operation as its file declares it. Its answer's type is derived from `answer`; `run` must return exactly that. */
export type Definition<F extends Fields, H extends Holds, R> = Omit<
  Operation<F, AnswerOf<H>>,
  'takesKey' | 'answer' | 'run'
> & {
  answer: H & NothingBeside<NoInfer<R>, H>
  run: (context: Context, input: Input<F>) => Promise<R>
}

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

/** A mutation takes an idempotency key in addition to its fields. */
export function mutation<F extends Fields, H extends Holds, R extends AnswerOf<H>>(
  op: Omit<Definition<WithKey<F>, H, R>, 'fields' | 'writes'> & { fields: F },
): Operation<WithKey<F>, AnswerOf<H>> {
  const fields: WithKey<F> = { ...op.fields, ...KEY }
  return define({ ...op, fields, takesKey: true, writes: 'store' })
}

export function define<F extends Fields, R extends object>(op: Operation<F, R>): Operation<F, R> {
  return { ...op, refusals: [...op.refusals, ...STORE_REFUSALS] }
}

/** Validates the input of a call, the same way for every door. */
export function inputFor<F extends Fields>(
  { fields, check }: Pick<Operation<F>, 'fields' | 'check'>,
  raw: Record<string, unknown>,
  caller: Context['caller'],
): Input<F> {
  const input = readInput(fields, raw, caller)
  check?.(input)
  return input
}

export function isWait({ blocks, fields }: Operation, input: object): boolean {
  const { timeout_seconds: given = 0 } = input as { timeout_seconds?: number }
  return blocks === true && (fields.timeout_seconds?.default !== undefined || given > 0)
}

/**
 * Whether a call creates a store if there is none. An agent that waits for mail becomes known, which is more than a
 * mark. A call about a given id wouldn't find it in an empty store, and a dry run saves nothing. For those, as for
 * reads, an empty in-memory store is enough.
 */
export function mayMakeStore(op: Operation, input: object & { dry_run?: boolean }): boolean {
  const isAboutOne = Object.keys(input).some((key) => op.fields[key]?.kind === 'id')
  const keeps = op.writes === 'store' || (op.writes === 'marks' && isWait(op, input))
  return keeps && !isAboutOne && !input.dry_run
}
