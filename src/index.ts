// The library: typed versions of the shell's operations, on a store that you name.

import { type MailroomOptions, openMailroom } from './bin/compose.ts'
import { camelCase } from './core/error.ts'
import type { AnswerNotes } from './ops/answer-notes.ts'
import { call } from './ops/call.ts'
import {
  CATALOGUE,
  type LoadedOperation,
  loadOperation,
  type OperationAnswer,
  type OperationName,
} from './ops/catalogue.ts'
import { type Afterwards, trackLaterWork } from './ops/kit/afterwards.ts'
import { type Fields, type GivenInput, self } from './ops/kit/field.ts'
import type { Files } from './ops/kit/files.ts'
import type { Operation } from './ops/kit/operation.ts'
import { readInput } from './ops/kit/read-input.ts'
import { type ApprovalOutcome, requestApproval } from './ops/requests/request-approval.ts'

export { CODES, type Code, Refusal } from './core/error.ts'
export type { EntriesFile, Files } from './ops/kit/files.ts'
export type { ApprovalOutcome } from './ops/requests/request-approval.ts'

type CamelCase<Name extends string> = Name extends `${infer Head} ${infer Tail}`
  ? `${CamelCase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Name extends `${infer Head}-${infer Tail}`
    ? `${Head}${Capitalize<CamelCase<Tail>>}`
    : Name

type ClientCall<Op> =
  Op extends Operation<infer F extends Fields, infer R>
    ? Record<never, never> extends ClientInput<F>
      ? (input?: ClientInput<F>, extras?: CallExtras) => Promise<R & AnswerNotes>
      : (input: ClientInput<F>, extras?: CallExtras) => Promise<R & AnswerNotes>
    : never

/** The type of a call's answer: `Answer<'mail read'>`. */
export type Answer<Name extends OperationName> = OperationAnswer<Name>

/**
 * The caller's name is optional, because the client knows it. Data can be passed as a string or as a value, and an
 * artifact needs only a path.
 */
type ClientInput<F extends Fields> = Omit<GivenInput<F>, 'agent' | 'from' | keyof Looser> &
  Partial<Pick<GivenInput<F>, Extract<keyof GivenInput<F>, 'agent' | 'from'>>> &
  Partial<Pick<Looser, Extract<keyof F, keyof Looser>>>

type Looser = { artifacts: ArtifactGiven[] } & Record<Data, unknown>
type Data = 'payload_json' | 'metadata' | 'payload' | 'values' | 'schema'

export type ArtifactGiven = { path: string; kind?: string; metadata_json?: unknown }

export type CallExtras = {
  /** Ends a wait early. */
  signal?: AbortSignal
  /** The file that `export` writes and `import` reads. */
  files?: Files
}

/** The request to make, or the id of an existing one. */
export type ApprovalWish =
  | Parameters<Calls['requestCreate']>[0]
  | { agent?: string; request: string }

export type Client = Calls & {
  /**
   * Asks people and resolves with their decision. Every decision is returned as an outcome; none is thrown. With an
   * idempotency key, or the id of the request, a restarted program waits for the same request. If the signal ends the
   * wait, the request stays open and the outcome is pending.
   */
  requestApproval(wish: ApprovalWish, extras?: Pick<CallExtras, 'signal'>): Promise<ApprovalOutcome>
  close(): Promise<void>
}

/** All operations except those that only exist in the shell. */
type Calls = {
  [Name in OperationName as LoadedOperation<Name> extends { at: 'shell' }
    ? never
    : CamelCase<Name>]: ClientCall<LoadedOperation<Name>>
}

export type ConnectOptions = Pick<MailroomOptions, 'onCreate' | 'connections'> & {
  /** The caller's name, for inputs without one. */
  agent?: string
}

/**
 * Opens a store, and creates it if there is none.
 *
 * ```ts
 * const inbox = await connect('.agents/coord.db', { agent: 'lead' })
 * await inbox.send({ to: 'worker', subject: 'Build the parser' })
 * ```
 */
export async function connect(db: string, options: ConnectOptions = {}): Promise<Client> {
  const caller = { agent: options.agent }
  readInput({ agent: self('who is calling') }, {}, caller)
  const mailroom = await openMailroom(db, options)
  const never = new AbortController().signal
  // Ignore errors: if a read mark can't be written, the reply simply stays unread.
  const laterWork = trackLaterWork(() => {})
  const owed: Afterwards['afterAnswer'][] = []
  /** Runs when the caller has its answer: at the next turn of the event loop, or when it calls again. */
  const doLater = () => {
    for (const one of owed.splice(0)) laterWork.begin(one())
    return laterWork.done()
  }
  const entries = (Object.keys(CATALOGUE) as OperationName[]).map((name) => {
    const ask = async (raw: Record<string, unknown> = {}, extras: CallExtras = {}) => {
      const { signal = never, files } = extras
      const op = await loadOperation(name)
      const house = files === undefined ? mailroom : { ...mailroom, files }
      const enter = async () => {
        const left = doLater()
        if (left !== undefined) await left
        return house
      }
      const called = await call(enter, { op, raw, door: 'library', signal, ...caller })
      owed.push(called.afterAnswer)
      setImmediate(doLater)
      return called.result
    }
    return [camelCase(name), ask]
  })
  const close = async () => {
    await doLater()
    await mailroom.close()
  }
  const calls = Object.fromEntries(entries) as Calls
  const approval: Client['requestApproval'] = (wish, extras) => {
    const { agent } = wish
    const whose = agent === undefined ? {} : { agent }
    const id = 'request' in wish ? wish.request : undefined
    return requestApproval(
      {
        create: () => calls.requestCreate(wish as Parameters<Calls['requestCreate']>[0]),
        wait: (request) => calls.requestWait({ ...whose, request, timeout_seconds: 0 }, extras),
      },
      id,
    )
  }
  return { ...calls, requestApproval: approval, close }
}
