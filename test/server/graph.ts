// One GraphQL request, as a client sends it.

import type { Running } from './serving.ts'

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

/** By the store's socket: as its owner, as an agent of the machine, or by a token. */
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

/** The codes of the errors, with the field that each is about, in the order of the alphabet. */
export function codes({ errors }: Graphed): string[] {
  return errors
    .map(({ path, extensions }) => `${path?.join('.') ?? ''} ${extensions.code}`.trim())
    .sort()
}
