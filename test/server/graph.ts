// Sends GraphQL as a client does, and starts servers to send it to.

import { beforeAll, describe, expect } from 'bun:test'
import { LIMIT } from '../worlds/requests.ts'
import { freshSchema } from '../worlds/server.ts'
import { type Running, servers } from './serving.ts'

export type GraphError = {
  message: string
  path?: (string | number)[]
  extensions: { code: string; status: number; details: Record<string, unknown> }
}

export type Graphed = {
  status: number
  headers: Headers
  data: Record<string, unknown> | null | undefined
  errors: GraphError[]
  text: string
}

export type Visit = { as?: string; token?: string; headers?: Record<string, string> }

/** Queries over the store's socket: as its owner, as an agent on this machine, or with a token. */
export function graph(
  server: Running,
  query: string,
  variables: object = {},
  visit: Visit = {},
): Promise<Graphed> {
  return send(server, JSON.stringify({ query, variables }), visit)
}

export async function send(
  { socket }: Running,
  body: string | Uint8Array,
  { as, token, headers = {} }: Visit = {},
): Promise<Graphed> {
  const response = await fetch('http://inbox/graphql', {
    unix: socket,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(as === undefined ? {} : { 'x-inbox-agent': as }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body,
  })
  const text = await response.text()
  const { data, errors = [] } = JSON.parse(text)
  return { status: response.status, headers: response.headers, data, errors, text }
}

/** The errors' codes, each with the path of its field, sorted. */
export function codes({ errors }: Graphed): string[] {
  return errors
    .map(({ path, extensions }) => `${path?.join('.') ?? ''} ${extensions.code}`.trim())
    .sort()
}

export const CREATE = `mutation ($input: CreateInboxItemInput!, $key: String) {
  createInboxItem(input: $input, idempotencyKey: $key) { id status revision }
}`
export const RAISE = { type: 'config_change', title: 'Raise the limit', config: LIMIT }

export const ANN: Visit = { as: 'ann' }
export const BOB: Visit = { as: 'bob' }

export type GraphServer = {
  server: Running
  tenantId: string
  run: (query: string, variables?: object, visit?: Visit) => Promise<Graphed>
  /** Creates a request by ann and returns its id. */
  asked: (input?: object, visit?: Visit) => Promise<string>
}

/** Runs the same tests on both engines, each with its own server. */
export function onBothEngines(tests: (engine: string, here: GraphServer) => void): void {
  const { start } = servers()
  describe.each(['sqlite', 'postgres'])('on %s', (engine) => {
    const here = {} as GraphServer
    beforeAll(async () => {
      const server = await start(engine === 'sqlite' ? {} : { db: [freshSchema().address] })
      const run: GraphServer['run'] = (query, variables = {}, visit = {}) =>
        graph(server, query, variables, visit)
      Object.assign(here, {
        server,
        run,
        tenantId: server.stores[0]?.id ?? '',
        async asked(input: object = {}, visit: Visit = ANN) {
          const made = await run(CREATE, { input: { ...RAISE, ...input } }, visit)
          return String(only(made).id)
        },
      })
    })
    tests(engine, here)
  })
}

/** The value of the only field that was asked for. */
export function only({ data, errors }: Graphed): Record<string, unknown> {
  expect(errors).toEqual([])
  return Object.values(data ?? {})[0] as Record<string, unknown>
}
