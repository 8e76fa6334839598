// The HTTP API as a door: requests over a store's socket. Calls by a person other than `user`, and calls that need
// files or a process, go through the library.

import { openMailroom } from '../../src/bin/compose.ts'
import { isPerson, isReserved, USER } from '../../src/core/agents/agent.ts'
import { handle } from '../../src/doors/http/handle.ts'
import type { HttpServer, ServedStore } from '../../src/doors/http/http-server.ts'
import { makeMetrics } from '../../src/doors/http/metrics.ts'
import { trackOpenCalls } from '../../src/doors/http/open-calls.ts'
import { pathName } from '../../src/doors/http/ops-route.ts'
import { CODES, type Code } from '../../src/index.ts'
import type { Operation } from '../../src/ops/kit/operation.ts'
import { makeTail } from '../../src/ops/server/tail.ts'
import { shareBell } from '../../src/wake/shared-bell.ts'
import { besideLibrary, type Input } from './beside-library.ts'
import type { Door, Place } from './doors.ts'
import { Refused } from './refused.ts'

/** Setup calls that take powers only people have. The store's owner makes them, whoever the caller is. */
const BY_OWNER = ['agent register', 'agent status']

const PUSHING = ['push', 'notify']

export function httpDoor(place: Place): Door {
  let opened: ReturnType<typeof openSite> | undefined
  return besideLibrary<Request>(place, {
    spoken: requestFor,
    async ask(op, request) {
      opened ??= openSite(place.address)
      const { ask } = await opened
      const { ok, command, error, ...result } = await ask(request)
      if (ok !== true) {
        const { code, message, ...details } = error as { code: Code; message: string } & Input
        throw new Refused(code, CODES[code].exit, message, details)
      }
      if (command !== op) throw new Error(`${op} was answered as ${command}`)
      return result
    },
    close: async () => (await opened)?.close(),
  })
}

/** Undefined if the call should go through the library. */
function requestFor(
  op: string,
  { fields, set, streams }: Operation,
  input: Input,
  agent: string | undefined,
): Request | undefined {
  const isByOwner = BY_OWNER.includes(op)
  const own = Object.entries(fields).find(([, { kind, positional }]) => {
    return kind === 'self' && (isByOwner || !positional)
  })?.[0]
  const meant = (own === undefined ? undefined : input[own]) ?? agent
  // A caller without a name is anonymous in the library, but counts as the store's owner over its socket. That matters
  // for work and mail that belong to someone.
  const isOfSomebody = own !== undefined && (set === 'threads' || set === 'mailbox')
  const caller = isByOwner ? USER : (meant ?? (isOfSomebody ? undefined : USER))
  // Over HTTP a file is the body of the request.
  if (streams || op === 'import' || typeof caller !== 'string') return undefined
  // An agent pushes from a workspace with that workspace's token, which doesn't exist here.
  if (input.workspace !== undefined && caller !== USER && PUSHING.includes(op)) return undefined
  // The orchestrator is the agent with that role: a name alone doesn't prove it.
  if (caller !== USER && (isPerson(caller) || isReserved(caller))) return undefined
  const headers = {
    host: 'inbox',
    'content-type': 'application/json',
    ...(caller === USER ? {} : { 'x-inbox-agent': caller }),
  }
  const { idempotency_key: key, ...words } = input
  return new Request(`http://inbox/api/ops/${pathName(op)}`, {
    method: 'POST',
    headers: typeof key === 'string' ? { ...headers, 'idempotency-key': key } : headers,
    body: JSON.stringify(isByOwner && own !== undefined ? { ...words, [own]: meant } : words),
  })
}

async function openSite(address: string) {
  const { close: closeRoom, ...room } = await openMailroom(address)
  const { bell, lookout, waiters } = shareBell(room.bell, room.store)
  const house = { ...room, bell, store: { ...room.store, lookout } }
  const bugs: unknown[] = []
  const tail = makeTail({ ...house, report: (error) => void bugs.push(error) })
  const served: ServedStore = {
    id: 'store',
    place: '',
    house,
    tail,
    cookie: 'inbox',
    waiters,
    isReady: async () => true,
    gone: () => undefined,
  }
  const left: Promise<unknown>[] = []
  const server: HttpServer = {
    stores: [served],
    auth: 'local',
    names: { hosts: new Set(), origins: new Set() },
    url: 'http://inbox',
    program: 'inbox',
    version: '0',
    isDev: false,
    logsRequests: false,
    log: (line) => void (line.what === 'bug' && bugs.push(line)),
    logStream: () => {},
    logStranger: () => {},
    metrics: makeMetrics(),
    openCalls: { ...trackOpenCalls(), afterwards: (work) => void left.push(work) },
    mcp: () => Promise.reject(new Error('there are no tools here')),
    web: { page: async () => '', file: async () => null },
  }
  return {
    async ask(request: Request): Promise<Input> {
      const connection = { way: 'socket', served, allowSeconds: () => {} } as const
      const response = await handle(server, request, connection)
      const answer = (await response.json()) as Input
      if (bugs.length > 0) throw bugs.pop()
      // Without a connection, the event loop hasn't turned yet, so wait for a turn.
      await new Promise((resolve) => setImmediate(resolve))
      await Promise.all(left.splice(0))
      return answer
    },
    async close() {
      await tail.close()
      await bell.close()
      await closeRoom()
    },
  }
}
