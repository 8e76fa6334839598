// Reads the body of a request, with limits on its size, type and time.

import { CODES, quote, Refusal, refuse } from '../../core/error.ts'
import type { Principal } from '../../core/principal.ts'
import { DEEPEST_WHOLE, mustBeShallow } from '../../core/shallow.ts'
import { parseExactJson } from '../../ops/kit/exact-json.ts'
import { type QuotaHolder, takeQuota } from '../../ops/kit/quota.ts'
import { decline, HttpRefusal } from './answer.ts'
import type { ServedStore } from './http-server.ts'

/** The longest message with all its attachments, encoded as JSON. */
const JSON_BYTES = 8 * 1024 * 1024
/** Enough for months of logs. Larger files have to be imported on the server's machine. */
export const LINES_BYTES = 1024 * 1024 * 1024
/** The longest pause between two chunks, no matter how large the body is. */
const PAUSE_MS = 10_000
/** JSON bodies are small; a caller that takes longer has stopped sending. */
const JSON_MS = 30_000

/** Generous, because files are large, but limited, because a slow sender keeps others from importing. */
const FILE_MS = 600_000

/** A body up to this size nearly always arrives in one chunk, so it's read in one call. */
const SMALL_BYTES = 64 * 1024

/** The sender of a body, identified before the body is read. */
export type BodySender = { request: Request; served: ServedStore; principal: Principal }

/** Accepts only this type, with no parameter except a charset. A form on another site can't send JSON. */
export function mustBeOfType(headers: Headers, type: string): void {
  const given = headers.get('content-type') ?? ''
  const [name = '', ...parameters] = given.toLowerCase().split(';')
  const isPlain = parameters.every((one) => /^\s*charset="?utf-8"?\s*$/.test(one))
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') {
    throw decline(415, `the body must come as it is, without content-encoding ${quote(encoding)}`)
  }
  if (name.trim() === type && isPlain) return
  throw decline(415, `the body must be ${type}`)
}

/** Returns the body, or an empty object if there is none. The type is required even then: no form can send it. */
export async function readJson(sender: BodySender): Promise<Record<string, unknown>> {
  mustBeOfType(sender.request.headers, 'application/json')
  const bytes = await readAll(sender.request, JSON_BYTES, holderOf(sender))
  return bytes.length === 0 ? {} : parseObject(decode(bytes))
}

/** A JSON body as text, for callers that report syntax errors themselves. */
export async function readBody(sender: BodySender): Promise<string> {
  mustBeOfType(sender.request.headers, 'application/json')
  const text = decode(await readAll(sender.request, JSON_BYTES, holderOf(sender)))
  mustBeShallow(text, 'the body', DEEPEST_WHOLE)
  return text
}

export async function readForm(request: Request): Promise<URLSearchParams> {
  mustBeOfType(request.headers, 'application/x-www-form-urlencoded')
  return new URLSearchParams(decode(await readAll(request, 64 * 1024)))
}

function parseObject(text: string): Record<string, unknown> {
  mustBeShallow(text, 'the body', DEEPEST_WHOLE)
  let value: unknown
  try {
    value = parseExactJson(text)
  } catch {
    throw decline(400, 'the body is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw decline(400, 'the body must be a JSON object')
  }
  return value as Record<string, unknown>
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw decline(400, 'the body is not valid UTF-8; encode it so')
  }
}

function holderOf({ served, principal }: BodySender): QuotaHolder {
  return { store: served.house.store, principal }
}

async function readAll(request: Request, limit: number, holder?: QuotaHolder): Promise<Uint8Array> {
  const bytes = await readBytes(request, limit, holder)
  await mustBeAlone(request)
  return bytes
}

/**
 * If another request arrives before the first is answered, the runtime closes the connection, but reports it only in
 * the next turn of the event loop. A caller that pipelines requests gets no response, so no work must be done for it.
 */
export async function mustBeAlone({ signal }: Request): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  if (signal.aborted) throw decline(400, 'wait for each answer before you send the next request')
}

async function readBytes(
  request: Request,
  limit: number,
  holder: QuotaHolder | undefined,
): Promise<Uint8Array> {
  const said = request.headers.get('content-length')
  if (said !== null && Number(said) <= SMALL_BYTES) return inTime(request.bytes(), PAUSE_MS)
  const chunks: Uint8Array[] = []
  const taken: (() => void)[] = []
  const deadline = performance.now() + JSON_MS
  try {
    for await (const chunk of chunksOf(request, limit, () => deadline - performance.now())) {
      chunks.push(chunk)
      taken.push(takeQuota('bodies', holder, chunk.length))
    }
  } catch (error) {
    // Stop reading the body.
    throw error instanceof Refusal ? new HttpRefusal(CODES.busy.http, error).last() : error
  } finally {
    for (const giveBack of taken) giveBack()
  }
  if (chunks.length === 1) return chunks[0] as Uint8Array
  return Buffer.concat(chunks)
}

/** Reads a file as it arrives, until the sender's token expires or is revoked. */
export function readFile(request: Request, good: AbortSignal): AsyncGenerator<Uint8Array> {
  const deadline = performance.now() + FILE_MS
  return chunksOf(request, LINES_BYTES, () => deadline - performance.now(), good)
}

async function* chunksOf(
  { headers, body }: Request,
  limit: number,
  leftMs: () => number,
  good?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const said = Number(headers.get('content-length') ?? 0)
  if (said > limit) throw tooLarge(limit)
  if (body === null) return
  const reader = body.getReader()
  const ended = Promise.withResolvers<never>()
  ended.promise.catch(() => {})
  const end = () => ended.reject(refuse.unauthenticated`${ENDED_MEANWHILE}`)
  good?.addEventListener('abort', end, { once: true })
  if (good?.aborted) end()
  let total = 0
  try {
    for (;;) {
      const next = Promise.race([reader.read(), ended.promise])
      const read = await inTime(next, Math.min(PAUSE_MS, leftMs()))
      if (read.done) return
      total += read.value.length
      if (total > limit) throw tooLarge(limit)
      yield read.value
    }
  } finally {
    good?.removeEventListener('abort', end)
    // Ignore what's left of the body, including its errors.
    reader.cancel().catch(() => {})
  }
}

const ENDED_MEANWHILE = 'your token was revoked, or has expired, while the file came in'

function tooLarge(limit: number) {
  return decline(413, `the body is larger than ${limit} bytes`).last()
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        reject(decline(408, 'the body did not arrive in time').last())
      },
      Math.max(0, ms),
    )
  })
  try {
    return await Promise.race([work, late])
  } catch (error) {
    // A broken connection isn't a bug, and no one will read the response.
    throw error instanceof Error && error.name === 'AbortError'
      ? decline(400, 'the body broke off')
      : error
  } finally {
    clearTimeout(timer)
  }
}
