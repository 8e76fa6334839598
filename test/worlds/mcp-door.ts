// The tools as a way in: what a tool can say goes through it, in a client of the protocol; the rest goes
// through the library, as it would for a person beside the agent.

import { StreamableHTTPClientTransport, Client as Visitor } from '@modelcontextprotocol/client'
import { openMailroom } from '../../src/bin/compose.ts'
import { isPerson } from '../../src/core/agent.ts'
import { DEFAULT_SETS } from '../../src/core/principal.ts'
import { mcpDoor as makeDoor } from '../../src/doors/mcp/http.ts'
import type { Tool } from '../../src/doors/mcp/tool.ts'
import { TOOLS } from '../../src/doors/mcp/tools.ts'
import { CODES, type Code } from '../../src/index.ts'
import { CATALOGUE, type OperationName } from '../../src/ops/catalogue.ts'
import type { Operation } from '../../src/ops/operation.ts'
import { type Door, inboxOf, libraryDoor, type Place } from './doors.ts'
import { Refused } from './refused.ts'

type Input = Record<string, unknown>

/** Registering sets a scene, with powers that only people have; pushes need a workspace's address. */
const BESIDE = ['agent register', 'push', 'push history', 'push show', 'notify']

/** What they show counts as shown once it is out. */
const OWING = ['mail read', 'wait-reply']

export function mcpDoor(place: Place): Door {
  const library = libraryDoor(place)
  const exits = new WeakMap<object, number>()
  let asked = 0
  const visitors = new Map<string, Promise<Visitor>>()
  const bugs: unknown[] = []
  const door = makeDoor({ version: '0', report: (error) => void bugs.push(error) })
  let room: ReturnType<typeof openMailroom> | undefined

  const visitorFor = (name: string): Promise<Visitor> => {
    const known = visitors.get(name) ?? connect(name)
    visitors.set(name, known)
    return known
  }
  async function connect(name: string): Promise<Visitor> {
    room ??= openMailroom(place.address)
    const { close: _, ...house } = await room
    const kind = isPerson(name) ? 'person' : 'agent'
    const principal = { kind, name, proof: 'claim' } as const
    const never = new AbortController().signal
    const client = new Visitor(
      { name: 'behaviours', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    const transport = new StreamableHTTPClientTransport(new URL('http://inbox/mcp'), {
      fetch: (url, init) => {
        const visit = {
          ...{ house, principal, sets: DEFAULT_SETS, signal: never },
          workspaceId: undefined,
        }
        return door.handle(new Request(String(url), init), visit, init?.body as string | undefined)
      },
    })
    await client.connect(transport)
    return client
  }

  const call = async (op: string, input: Input, agent: string | undefined, extras?: object) => {
    const operation = (await CATALOGUE[op as OperationName]()) as unknown as Operation
    const spoken = extras === undefined ? toolCall(op, operation, input, agent) : undefined
    if (spoken === undefined) {
      const client = library.inbox(agent) as unknown as Record<
        string,
        (...all: unknown[]) => Promise<object>
      >
      const answer = await client[camelCase(op)]?.(input, extras)
      exits.set(answer as object, library.exitOf(answer as object))
      return answer as object
    }
    asked += 1
    const { tool, caller, args } = spoken
    const client = await visitorFor(caller)
    const answer = await client.callTool({ name: tool.name, arguments: args }, { timeout: 100_000 })
    if (bugs.length > 0) throw bugs.pop()
    // There is no connection in between, on whose way the turn would be over; and a visitor's next call
    // begins when what is left of this one is done.
    await new Promise((resolve) => setImmediate(resolve))
    if (OWING.includes(op)) await client.callTool({ name: 'list_agents', arguments: {} })
    // Words for a model, beside what was asked for.
    const { note: _, ...said } = answer.structuredContent as Input
    const result = said as { error?: { code: Code; message: string } & Input }
    if (answer.isError && result.error !== undefined) {
      const { code, message, retry: _, ...details } = result.error
      throw new Refused(code, CODES[code].exit, message, details)
    }
    const code = operation.verdict?.(result)
    exits.set(result, code ? CODES[code].exit : operation.nothing?.(result) ? 10 : 0)
    return result
  }
  return {
    ...library,
    inbox: (agent) => inboxOf(call, agent),
    exitOf: (answer) => exits.get(answer) ?? library.exitOf(answer),
    asked: () => asked,
    async close() {
      for (const visitor of visitors.values()) await (await visitor).close()
      await door.close()
      await (await room)?.close()
      await library.close()
    },
  }
}

function camelCase(name: string): string {
  return name.replace(/[- ](\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Undefined where no tool says this. */
function toolCall(op: string, { fields }: Operation, input: Input, agent: string | undefined) {
  const tool = TOOLS.find((one) => one.op === op && !BESIDE.includes(op))
  const self = Object.entries(fields).find(([, { kind }]) => kind === 'self')?.[0]
  const caller = (self === undefined ? undefined : input[self]) ?? agent
  if (tool === undefined || typeof caller !== 'string') return undefined
  const args: Input = {}
  for (const [key, value] of Object.entries(input)) {
    if (key === self || value === undefined) continue
    const named = key === 'idempotency_key' ? key : argFor(tool, key)
    if (named === undefined) return undefined
    args[named] = tool.args[named]?.opposite && typeof value === 'boolean' ? !value : value
  }
  return { tool, caller, args }
}

function argFor(tool: Tool, field: string): string | undefined {
  return Object.entries(tool.args).find(([name, arg]) => (arg.field ?? name) === field)?.[0]
}
