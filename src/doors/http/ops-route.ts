// Every operation of the catalogue by name: POST /api/ops/mail-send takes the operation's input and returns what the
// shell prints with --json.

import { asJson, type DoorWords, quote } from '../../core/error.ts'
import { call } from '../../ops/call.ts'
import { CATALOGUE } from '../../ops/catalogue.ts'
import type { Files } from '../../ops/kit/files.ts'
import type { Operation } from '../../ops/kit/operation.ts'
import { takeQuota } from '../../ops/kit/quota.ts'
import { operationNamed } from '../../ops/known-caller.ts'
import { decline, json } from './answer.ts'
import { LINES_BYTES, mustBeOfType, readFile, readJson } from './body.ts'
import type { ServedStore } from './http-server.ts'
import { abortWhenRevoked } from './open-calls.ts'
import { type IdentifiedCall, originIn, type Route } from './route.ts'
import { makeOutgoing } from './send-answer.ts'

/** Proxies and clients give up after a minute. A caller that wants to wait longer calls again with its cursor. */
const LONGEST_REQUEST_SECONDS = 55
/** Time allowed on top of the wait, for a call's work and its response. */
const SPARE_SECONDS = 30

/** For example, `mail send` becomes mail-send. */
export function pathName(name: string): string {
  return name.replaceAll(' ', '-')
}

const NAMES = new Map(Object.keys(CATALOGUE).map((name) => [pathName(name), name]))

export async function runOperation(asked: IdentifiedCall): Promise<Response> {
  const { params, connection } = asked
  const name = NAMES.get(params.name ?? '')
  if (name === undefined) throw decline(404, `there is no operation ${quote(params.name ?? '')}`)
  const op = await operationNamed(name)
  connection.allowSeconds(LONGEST_REQUEST_SECONDS + SPARE_SECONDS)
  if (op.readsFile) return runOnFile(asked, op)
  const raw = withKey(op, await readJson(asked), asked.request.headers)
  return op.streams ? runStream(asked, op, raw) : runCall(asked, op, limitWait(op, raw), {})
}

async function runCall(
  asked: IdentifiedCall,
  op: Operation,
  raw: Record<string, unknown>,
  more: { files?: Files },
): Promise<Response> {
  const result = await resultOf(asked, op, raw, more)
  return json({ ok: true, command: op.name, ...result })
}

/** Returns the result of one operation. Any remaining work is done after the response has been sent. */
export async function resultOf(
  asked: IdentifiedCall,
  op: Operation,
  raw: Record<string, unknown>,
  more: { files?: Files } = {},
): Promise<object> {
  if (!op.blocks) return resultWhile(asked, { op, raw, ...more })
  const { served, principal } = asked
  const giveBack = takeQuota('waits', { store: served.house.store, principal })
  try {
    const good = await abortWhenRevoked(served, principal)
    try {
      return await resultWhile(asked, { op, raw, ...more }, good.signal)
    } finally {
      good.end()
    }
  } finally {
    giveBack()
  }
}

type OperationCall = { op: Operation; raw: Record<string, unknown>; files?: Files }

async function resultWhile(
  { server, request, served, principal, owed }: IdentifiedCall,
  { op, raw, ...more }: OperationCall,
  good?: AbortSignal,
): Promise<object> {
  const { signal, end } = server.openCalls.signalFor(request, good)
  try {
    const { house } = served
    const origin = originIn(request.headers)
    const want = { op, principal, raw, door: 'http' as const, signal }
    const { result, isLeft, afterAnswer, drop } = await call({ ...house, ...more, origin }, want)
    owed.push({
      isLeft,
      over(isTaken) {
        const left = isTaken ? afterAnswer() : drop()
        if (left !== undefined) server.openCalls.afterwards(left)
      },
    })
    return result
  } finally {
    end()
  }
}

/** The key can also be passed in the Idempotency-Key header. */
export function withKey(
  op: Operation,
  raw: Record<string, unknown>,
  headers: Headers,
): Record<string, unknown> {
  const key = headers.get('idempotency-key')
  if (key === null) return raw
  if (op.fields.idempotency_key === undefined) {
    const why = op.writes === 'nothing' ? ' changes nothing and' : ''
    throw decline(400, `${op.name}${why} takes no Idempotency-Key`)
  }
  if (raw.idempotency_key !== undefined && raw.idempotency_key !== key) {
    throw decline(400, 'the header Idempotency-Key and the field idempotency_key differ')
  }
  return { ...raw, idempotency_key: key }
}

/** Limits how long a call can wait. A call that didn't ask to wait still doesn't. */
export function limitWait(
  { blocks, fields }: Pick<Operation, 'blocks' | 'fields'>,
  raw: Record<string, unknown>,
): Record<string, unknown> {
  const { timeout_seconds: field, wait } = fields
  if (!blocks || field === undefined) return raw
  const { timeout_seconds: asked } = raw
  // Some operations wait by default, others only if told what to wait for. In a wait, a timeout of 0 means forever.
  const isWait = wait === undefined ? field.default !== undefined : raw.wait !== undefined
  if (asked === undefined && !isWait) return raw
  const given = asked ?? Number.POSITIVE_INFINITY
  // A value that isn't a number is refused later, by the usual input validation.
  const seconds = typeof given === 'object' ? Number.NaN : Number(given)
  const isForEver = seconds === 0 && isWait
  if (!isForEver && !(seconds > LONGEST_REQUEST_SECONDS)) return raw
  return { ...raw, timeout_seconds: LONGEST_REQUEST_SECONDS }
}

/** Sends output as it's produced, and no faster than it's read. */
async function runStream(
  asked: IdentifiedCall,
  op: Operation,
  raw: Record<string, unknown>,
): Promise<Response> {
  const { server, request, served, principal, connection } = asked
  connection.allowSeconds(0)
  const giveBack = takeQuota('downloads', { store: served.house.store, principal })
  const good = await abortWhenRevoked(served, principal).catch((error) => {
    giveBack()
    throw error
  })
  const { signal, end } = server.openCalls.signalFor(request, good.signal)
  const out = makeOutgoing()
  const files: Files = {
    write: (text) => out.write(text),
    read: nothing,
    setAside: () => {},
    aside: '',
  }
  const done = call({ ...served.house, files }, { op, principal, raw, door: 'http', signal })
  // Until the first write, the call can still be refused. After that, the stream can only be cut off.
  const ended = done.then(
    ({ afterAnswer }) => {
      out.end()
      return afterAnswer()
    },
    (error) => out.fail(error),
  )
  server.openCalls.afterwards(
    ended.finally(() => {
      end()
      good.end()
      giveBack()
    }),
  )
  await Promise.race([out.begun, done])
  return new Response(out.stream, { headers: { 'content-type': 'application/x-ndjson' } })
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** One import at a time per store: two would block each other. */
const importing = new WeakSet<ServedStore>()

/** The body is the file; the other fields are query parameters. */
async function runOnFile(asked: IdentifiedCall, op: Operation): Promise<Response> {
  const { request, url, connection, served, principal } = asked
  mustBeOfType(request.headers, 'application/x-ndjson')
  const raw: Record<string, unknown> = {}
  for (const [key, value] of url.searchParams) if (key !== 'store') raw[key] = value
  if (raw.file !== undefined) throw decline(400, 'the file to import is the body of the request')
  if (Number(request.headers.get('content-length') ?? 0) > LINES_BYTES) {
    throw decline(413, `more than ${LINES_BYTES} bytes; import it in a shell on the machine itself`)
  }
  connection.allowSeconds(0)
  if (importing.has(served)) {
    throw decline(503, 'another file is being imported; try again when it is done')
  }
  importing.add(served)
  try {
    const good = await abortWhenRevoked(served, principal)
    const files: Files = {
      write: async () => {},
      read: () => readFile(request, good.signal),
      setAside: () => {},
      aside: 'the file you sent, by their numbers',
    }
    return await runCall(asked, op, raw, { files }).finally(good.end)
  } finally {
    importing.delete(served)
  }
}

/**
 * How refusals name fields and operations over HTTP. The store is still called --db, its name in the shell that started
 * the server.
 */
export function makeHttpWords(names: Route['names'] = {}): DoorWords {
  const own = (name: string) => (Object.hasOwn(names, name) ? names[name] : undefined)
  const field = (name: string) => own(name) ?? (name === 'db' ? '--db' : name)
  const operation: DoorWords['operation'] = (name, input) =>
    `/api/ops/${pathName(name)} ${asJson(input)}`.trimEnd()
  return { field, caller: field, operation }
}
