// How an operation writes: in one unit of work, at most once per key. Also has helpers for reading threads.

import { isPerson } from '../../core/agents/agent.ts'
import { field, operation, refuse } from '../../core/error.ts'
import { SYSTEM } from '../../core/event.ts'
import { canonicalText } from '../../core/json.ts'
import type { Idempotency, LockedThread, Store, Tx } from '../../core/store.ts'
import type { Stamp } from '../../core/threads/commands.ts'
import { type Holder, isLive } from '../../core/threads/lease.ts'
import { firstLine, type Words } from '../../core/threads/message.ts'
import type { ArtifactInput } from './field.ts'
import type { Context } from './operation.ts'

export type Call = {
  op: string
  agent: string
  input: object & { idempotency_key?: string | undefined }
  /** Set if this agent may be only the call's subject. If so, an unknown caller doesn't mean the agent was seen. */
  isOfAnother?: boolean
}

export type WithCursor<T> = T & { next_event_id: number }

/** Runs one unit of work, once per idempotency key, and adds the log position to its answer. */
export async function commit<T extends object>(
  context: Context,
  call: Call,
  work: (tx: Tx) => Promise<T>,
): Promise<WithCursor<T>> {
  const idempotency = await idempotencyOf(context, call)
  const { stopCheck } = context
  stopCheck.notStopped = undefined
  const unit = async (tx: Tx) => {
    // The stop message is read together with the work's first read, so it costs no extra round trip or connection.
    // Await it after the work, so that a refusal by the work comes first.
    const stop = tx.stopFor(call.agent, threadIn(call.input))
    stop.catch(() => {})
    const value = await work(tx)
    stopCheck.notStopped = (await stop) === null ? call.agent : undefined
    if (isCaller(context, call)) tx.sightCaller(call.agent)
    return value
  }
  const written = () => context.store.write(unit, idempotency)
  const { value, eventId } = await runWithFirst(context, written)
  return { ...value, next_event_id: eventId }
}

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

/** Equal calls give equal strings, whatever the order of their fields. JSON leaves out undefined fields. */
function callText(op: string, fields: object): string {
  return canonicalText(JSON.parse(JSON.stringify([op, fields])))
}

/** Whether the agent makes the call itself. An unknown caller is assumed to be the agent that the call names. */
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

export function unknownThread(thread_id: string) {
  return refuse.not_found`there is no thread ${{ thread_id }}; see ${operation('list')}`
}

export async function holderOf(
  tx: Tx,
  { state, now }: LockedThread,
  agent: string,
  token: string | undefined,
): Promise<Holder> {
  // Read the history only when the current state can't answer.
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
    payload_json: input.payload_json,
    artifacts: input.artifacts,
  }
}

export class DoFirst extends Error {
  readonly first: (context: Context) => Promise<unknown>

  constructor(first: DoFirst['first']) {
    super('something is to be done before this')
    this.first = first
  }
}

/** Terminates because each round completes one of the things that must be done first. */
async function runWithFirst<T>(context: Context, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DoFirst)) throw error
      await error.first(context)
    }
  }
}

export const FIRST_LINE = 'the first line of the body'

type LineInput = { summary?: string | undefined; body?: string | undefined }

export function mustHaveSummary(input: LineInput, called: 'summary' | 'subject' = 'summary'): void {
  if ((input.summary ?? input.body ?? '').trim() !== '') return
  throw refuse.invalid_input`${field(called)} is missing: say in one line what this is about, or write ${field('body')}`
}

export function summaryOf({ summary, body = '' }: LineInput): string {
  return summary ?? firstLine(body)
}

export async function rehearseWrite<T>(store: Store, work: (tx: Tx) => Promise<T>): Promise<T> {
  const done = new Rehearsal<T>()
  try {
    await store.write(async (tx) => {
      done.result = await work(tx)
      throw done
    })
  } catch (error) {
    if (error !== done) throw error
  }
  return done.result as T
}

/** Thrown to roll back a rehearsal's transaction. It isn't a failure. */
class Rehearsal<T> extends Error {
  result: T | undefined
}
