// Wraps the SDK's clients, old and new, as one kind of visitor over each transport.

import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { INBOX } from '../program/process.ts'

export type ToolAnswer = {
  content: { type: string; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

export type Visitor = {
  tools: () => Promise<{ name: string }[]>
  call: (name: string, args?: object, signal?: AbortSignal) => Promise<ToolAnswer>
  resource: (uri: string) => Promise<string>
  /** Calls back when this resource has news. */
  follow: (uri: string, onNews: () => void) => Promise<void>
  /** Calls back when the visitor's agent is mentioned. */
  hear: (onMention: (mention: unknown) => void) => Promise<void>
  /** Resolves once the stream for notifications over HTTP in the older protocol version is open. */
  listening: () => Promise<void>
  /** The server's name for itself. */
  server: () => string | undefined
  /** Whether the server offers subscriptions to resources. */
  canFollow: () => boolean
  instructions: () => string | undefined
  /** Undefined with version 1, which doesn't expose it. */
  protocol: () => string | undefined
  close: () => Promise<void>
}

/** The transport, and the agent it identifies. */
export type Way =
  | { kind: 'stdio'; folder: string; agent?: string; args?: string[]; program?: string }
  | {
      kind: 'http'
      url: string
      agent: string
      socket?: string
      program?: string
      /** The header that identifies the agent. It can hold a token instead of the name. */
      header?: string
    }

export const CLIENTS = ['v2 modern', 'v2 legacy', 'v1'] as const
export type ClientKind = (typeof CLIENTS)[number]

/** The name of the visitor's program. */
const infoOf = ({ program: name = 'mailroom-test' }: Way) => ({ name, version: '1.0.0' })

export function visit(kind: ClientKind, way: Way): Promise<Visitor> {
  return kind === 'v1' ? visitV1(way) : visitV2(kind === 'v2 modern', way)
}

async function visitV2(isModern: boolean, way: Way): Promise<Visitor> {
  const mode = isModern ? { pin: '2026-07-28' } : 'legacy'
  const client = new ClientV2(infoOf(way), { versionNegotiation: { mode } })
  await client.connect(
    way.kind === 'stdio' ? new StdioV2(program(way)) : new HttpV2(new URL(way.url), over(way)),
  )
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, args = {}, signal) =>
      (await client.callTool(
        { name, arguments: args as Record<string, unknown> },
        { timeout: 60_000, ...(signal && { signal }) },
      )) as ToolAnswer,
    resource: async (uri) => textOf(await client.readResource({ uri })),
    async follow(uri, onNews) {
      client.setNotificationHandler('notifications/resources/updated', onNews)
      if (isModern) await client.listen({ resourceSubscriptions: [uri] })
      else await client.subscribeResource({ uri })
    },
    async hear(onMention) {
      client.fallbackNotificationHandler = async ({ method, params }) => {
        if (method === 'notifications/mention') onMention(params)
      }
      if (isModern) await client.listen({ resourceSubscriptions: ['inbox://unread'] })
    },
    listening: () => listeningOver(way),
    server: () => client.getServerVersion()?.name,
    canFollow: () => client.getServerCapabilities()?.resources?.subscribe ?? false,
    instructions: () => client.getInstructions(),
    protocol: () => client.getNegotiatedProtocolVersion(),
    close: () => client.close(),
  }
}

async function visitV1(way: Way): Promise<Visitor> {
  const client = new ClientV1(infoOf(way))
  const transport =
    way.kind === 'stdio' ? new StdioV1(program(way)) : new HttpV1(new URL(way.url), over(way))
  // The package's types predate exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, args = {}, signal) =>
      (await client.callTool({ name, arguments: args as Record<string, unknown> }, undefined, {
        timeout: 60_000,
        ...(signal && { signal }),
      })) as ToolAnswer,
    resource: async (uri) => textOf(await client.readResource({ uri })),
    async follow(uri, onNews) {
      client.fallbackNotificationHandler = async ({ method }) => {
        if (method === 'notifications/resources/updated') onNews()
      }
      await client.subscribeResource({ uri })
    },
    async hear(onMention) {
      client.fallbackNotificationHandler = async ({ method, params }) => {
        if (method === 'notifications/mention') onMention(params)
      }
    },
    listening: () => listeningOver(way),
    server: () => client.getServerVersion()?.name,
    canFollow: () => client.getServerCapabilities()?.resources?.subscribe ?? false,
    instructions: () => client.getInstructions(),
    protocol: () => undefined,
    close: () => client.close(),
  }
}

function textOf({ contents }: { contents: object[] }): string {
  return (contents[0] as { text: string }).text
}

function program({ folder, agent, args = [] }: Extract<Way, { kind: 'stdio' }>) {
  return {
    command: INBOX,
    args: ['mcp', ...(agent === undefined ? [] : ['--agent', agent]), ...args],
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, INBOX_DEBUG: '1' },
    stderr: 'ignore' as const,
  }
}

const streams = new WeakMap<Way, PromiseWithResolvers<void>>()

function streamOf(way: Way): PromiseWithResolvers<void> {
  const known = streams.get(way) ?? Promise.withResolvers<void>()
  streams.set(way, known)
  return known
}

const listeningOver = (way: Way) => streamOf(way).promise

function over(way: Extract<Way, { kind: 'http' }>) {
  const { agent, socket, header = 'x-inbox-agent' } = way
  const unix = socket === undefined ? {} : { unix: socket }
  return {
    requestInit: { headers: { [header]: agent } },
    async fetch(url: string | URL, init?: RequestInit) {
      const response = await fetch(url, { ...init, ...unix } as RequestInit)
      if (init?.method === 'GET' && response.ok) streamOf(way).resolve()
      return response
    },
  }
}
