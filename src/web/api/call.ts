import type { CallInput, OperationAnswer, OperationName } from '../../ops/catalogue.ts'
import { addressOf, sessionHeaders } from './session.ts'
import { connectAnew } from './stream.ts'

/** Thrown for a refusal, and with status 0 if there was no response. */
export class CallRefusal extends Error {
  readonly status: number
  readonly code: string
  readonly details: Record<string, unknown>

  constructor(status: number, error: { code: string; message: string } & Record<string, unknown>) {
    const { code, message, ...details } = error
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

/** True if the call may have succeeded anyway: there was no response, or it doesn't say what happened. */
export function isUnanswered(error: Error): boolean {
  if (!(error instanceof CallRefusal)) return false
  return error.status < 400 || (error.status >= 500 && error.code === 'internal')
}

/** The server knows the caller, so a page can omit these fields. In some calls they name another agent. */
export type PageInput<Name extends OperationName> = Omit<CallInput<Name>, 'agent' | 'from'> &
  Partial<Pick<CallInput<Name>, Extract<keyof CallInput<Name>, 'agent' | 'from'>>>

export type CallOptions = {
  signal?: AbortSignal
  /** Calls repeated with the same key count once. */
  key?: string
  /** Completes the call even if the person leaves the page. Only for short inputs: browsers refuse over 64 kB. */
  keepalive?: boolean
}

export async function call<Name extends OperationName>(
  name: Name,
  input: PageInput<Name>,
  { signal, key, keepalive = false }: CallOptions = {},
): Promise<OperationAnswer<Name>> {
  const headers = {
    'content-type': 'application/json',
    ...sessionHeaders(),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  }
  const body = JSON.stringify(input)
  const asked = { method: 'POST', headers, body, signal: signal ?? null, keepalive }
  return answerOf(await reach(`/api/ops/${name.replaceAll(' ', '-')}`, asked))
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return answerOf(await reach(path, { headers: sessionHeaders(), signal: signal ?? null }))
}

export async function reach(path: string, asked: RequestInit): Promise<Response> {
  const response = await fetch(addressOf(path), asked).catch((error) => {
    if (asked.signal?.aborted) throw error
    throw new CallRefusal(0, { code: 'unreachable', message: 'the server can’t be reached' })
  })
  if (response.status !== 401) return response
  // Reconnecting lets the stream discover that the session has ended, and the page then shows it. The server's message
  // is written for agents.
  connectAnew()
  throw new CallRefusal(401, { code: 'unauthenticated', message: 'your session has ended' })
}

export async function answerOf<T>(response: Response): Promise<T> {
  const answer = await response.json().catch(() => null)
  if (response.ok && answer !== null) return answer
  const message = `the server answered ${response.status}`
  throw new CallRefusal(response.status, answer?.error ?? { code: 'internal', message })
}

/** Makes a key for one action by the person. Insecure contexts have no randomUUID. */
export function makeKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
