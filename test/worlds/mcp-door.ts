// MCP as a door, with a real client of the protocol: calls that a tool can express go through it, all others through
// the library, as if a person made them.

import { StreamableHTTPClientTransport, Client as Visitor } from '@modelcontextprotocol/client'
import { type Mailroom, openMailroom } from '../../src/bin/compose.ts'
import { isPerson, ORCHESTRATOR } from '../../src/core/agents/agent.ts'
import { TOOL_SETS } from '../../src/core/principal.ts'
import { mcpDoor as makeDoor } from '../../src/doors/mcp/http.ts'
import { loadTools, type Tool } from '../../src/doors/mcp/tools.ts'
import { CODES, type Code } from '../../src/index.ts'
import { ANSWER_NOTES } from '../../src/ops/answer-notes.ts'
import { loadOperation, type OperationName } from '../../src/ops/catalogue.ts'
import type { AnswerValue, Holds } from '../../src/ops/kit/answer.ts'
import type { Operation } from '../../src/ops/kit/operation.ts'
import type { McpVisitor } from '../../src/ops/server/visitor.ts'
import { besideLibrary, type Input } from './beside-library.ts'
import type { Door, Place } from './doors.ts'
import { Refused } from './refused.ts'

const TOOLS = await loadTools()

/** A workflow's tools are offered only on request. */
const OF_AGENT = TOOL_SETS.filter((set) => set !== 'workspace')

/** Pushing needs a workspace's address. */
const BESIDE = ['push', 'push history', 'push show', 'notify']

/** These calls record what they showed only after their answer has been sent. */
const OWING = ['mail read', 'wait-reply', 'workflow context inbox', 'workflow context read']

export function mcpDoor(place: Place): Door {
  const visitors = new Map<string, Promise<Visitor>>()
  const bugs: unknown[] = []
  const door = makeDoor({ version: '0', report: (error) => void bugs.push(error) })
  let room: Promise<Mailroom> | undefined

  const visitorFor = (name: string): Promise<Visitor> => {
    const known = visitors.get(name) ?? connect(name)
    visitors.set(name, known)
    return known
  }
  async function connect(name: string): Promise<Visitor> {
    room ??= openMailroom(place.address)
    const { close: _, ...house } = await room
    const kind = isPerson(name) ? 'person' : 'agent'
    const principal = { kind, name, proof: 'file' } as const
    const never = new AbortController().signal
    const client = new Visitor(
      { name: 'behaviours', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    const transport = new StreamableHTTPClientTransport(new URL('http://inbox/mcp'), {
      fetch: (url, init) => {
        const owe: McpVisitor['owe'] = ({ over }) => void setImmediate(over, true)
        const visit = {
          house,
          principal,
          sets: OF_AGENT,
          tools: [],
          isAtWorkspace: false,
          signal: never,
          owe,
        }
        return door.handle(new Request(String(url), init), visit, init?.body as string | undefined)
      },
    })
    await client.connect(transport)
    return client
  }

  return besideLibrary<ToolCall>(place, {
    spoken: toolCall,
    async ask(op, { tool, caller, args }) {
      const client = await visitorFor(caller)
      const named = { name: tool.name, arguments: args }
      const answer = await client.callTool(named, { timeout: 100_000 })
      if (bugs.length > 0) throw bugs.pop()
      // Without a connection, the event loop hasn't turned yet, so wait for a turn. A visitor's next call starts only
      // after the remaining work of this one is done.
      await new Promise((resolve) => setImmediate(resolve))
      if (OWING.includes(op)) await client.callTool({ name: 'list_agents', arguments: {} })
      // `note` is text for a model, in addition to the answer itself.
      const { note: _, ...said } = answer.structuredContent as Input
      const result = said as { error?: { code: Code; message: string } & Input }
      if (answer.isError && result.error !== undefined) {
        const { code, message, retry: _, ...details } = result.error
        throw new Refused(code, CODES[code].exit, message, details)
      }
      return inOwnNames(await loadOperation(op as OperationName), result)
    },
    async close() {
      for (const visitor of visitors.values()) await (await visitor).close()
      await door.close()
      await (await room)?.close()
    },
  })
}

/** Returns the answer with the names in its description, which a tool may spell differently. */
function inOwnNames({ answer }: Operation, given: object): object {
  return ownRecord({ ...(ANSWER_NOTES as Holds), ...answer }, given)
}

function ownRecord(holds: Holds, given: object): object {
  const names = new Map(Object.keys(holds).map((name) => [camelCase(name), name]))
  const parts = Object.entries(given).map(([name, value]) => {
    const own = names.get(name) ?? name
    return [own, ownValue(holds[own], value)]
  })
  return Object.fromEntries(parts)
}

function ownValue(known: AnswerValue | undefined, value: unknown): unknown {
  const { of, record } = known ?? {}
  if (of !== undefined && Array.isArray(value)) return value.map((one) => ownValue(of, one))
  if (record === undefined || typeof value !== 'object' || value === null) return value
  return ownRecord(record.holds, value)
}

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, one) => one.toUpperCase())

type ToolCall = { tool: Tool; caller: string; args: Input }

/** Undefined if no tool can express this. */
function toolCall(
  op: string,
  { fields }: Operation,
  input: Input,
  agent: string | undefined,
): ToolCall | undefined {
  const tool = TOOLS.find((one) => one.op === op && !BESIDE.includes(op))
  const self = Object.entries(fields).find(([, { kind }]) => kind === 'self')?.[0]
  const caller = (self === undefined ? undefined : input[self]) ?? agent
  if (tool === undefined || typeof caller !== 'string') return undefined
  // Registering another agent takes powers that only people have. An agent registers itself.
  const isForPeople = agent === undefined || input.role === ORCHESTRATOR
  if (op === 'agent register' && isForPeople) return undefined
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
