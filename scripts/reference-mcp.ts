// The tools as an agent's program gets them, for people to read. Written by scripts/generate.ts.

import { TOOL_SETS, type ToolSet } from '../src/core/principal.ts'
import { instructionsFor } from '../src/doors/mcp/server.ts'
import { type ListedTool, listTools, toolsOf } from '../src/doors/mcp/tools.ts'
import type { JsonSchema } from '../src/ops/kit/schema.ts'
import { LONGEST_TOOL_WAIT_SECONDS } from '../src/ops/kit/tool.ts'

const NOTE = '<!-- Written by scripts/generate.ts. Change the catalogue in src/ops instead. -->'

const ABOUT: Record<ToolSet, string> = {
  workspace:
    'What an agent shows people. Documents need a workspace: that of the address, the token or, over stdio, the folder.',
  mailbox: 'Mail.',
  threads: 'Work.',
  requests: 'What an agent asks people, and what they decided.',
  workflow:
    'The channel, the inbox and the team of a workflow. Offered only where it is asked for, as `workflow-context`.',
}

export async function toolsPage(): Promise<string> {
  const sections = await Promise.all(TOOL_SETS.map(setSection))
  return [
    NOTE,
    '',
    '# Tools',
    '',
    'Mailroom offers these tools over MCP: `inbox mcp` on standard input and output, and a server at `/mcp`',
    'and `/mcp/WORKSPACE`, on its port and on its socket. `--sets`, or `?sets=`, offers fewer; a token that',
    'is limited to some sets offers no more than those. A caller of `/mcp/WORKSPACE` that gives no name is',
    "the workspace's own agent and gets the set workspace alone.",
    '',
    'The caller is never an argument: the token, the address or `--agent` identifies it.',
    `A tool that waits answers within ${LONGEST_TOOL_WAIT_SECONDS} seconds; if nothing arrived, its answer has the cursor to continue from.`,
    'A refusal is an answer with `isError`, and in it an `error` with `code`, `message` and `retry`',
    '(see [refusals.md](../refusals.md)). An answer to an agent that was told to stop begins with STOP, and',
    'has the message in `stop`. Our own notes come before the data: as separate texts, and as `note` in',
    'the structured content, because some programs show their model only that. Every tool that changes something',
    'also takes `idempotency_key`, which no list shows: a retry with the same key gets the first answer.',
    '',
    'A push names the program it came from and, so that a person can resume it, the session. Programs name',
    'themselves; the session comes with the call, from the headers `X-Inbox-Backend` and `X-Inbox-Session`,',
    'or from hooks ([pushes.md](../pushes.md#answers) says which program does what).',
    '',
    'The resource `inbox://unread` shows unread mail and changes nothing; a program can subscribe to it (over',
    'HTTP in the era of 2026-07-28 only). A person can use two prompts, `check_mail` and `take_work`.',
    '',
    'A program that connects gets these instructions:',
    '',
    ...instructionsFor('NAME', TOOL_SETS)
      .split('\n')
      .map((line) => `> ${line}\n>`),
    '',
    ...sections.flat(),
  ].join('\n')
}

async function setSection(set: ToolSet): Promise<string[]> {
  const tools = await toolsOf([set])
  const listed = await listTools(tools)
  const parts = listed.flatMap((tool, i) => toolSection(tool, tools[i]?.op ?? ''))
  return [`## ${set}`, '', ABOUT[set], '', ...parts]
}

function toolSection({ name, description, inputSchema }: ListedTool, op: string): string[] {
  const { properties, required = [] } = inputSchema
  const rows = Object.entries(properties).map(([key, schema]) => {
    const mark = required.includes(key) ? ' *' : ''
    return `| \`${key}\`${mark} | ${typeOf(schema)} | ${schema.description ?? ''} |`
  })
  return [
    `### ${name}`,
    '',
    `${description} Runs [${op}](inbox.md#${op.replaceAll(' ', '-')}).`,
    '',
    ...(rows.length === 0 ? [] : ['| takes (* needed) | | |', '|---|---|---|', ...rows, '']),
  ]
}

function typeOf({ type = 'any', enum: of, items, maximum, properties }: JsonSchema): string {
  if (properties !== undefined) return `{ ${Object.keys(properties).join(', ')} }`
  if (of !== undefined) return of.map((one) => `\`${one}\``).join(' ')
  if (items !== undefined) return `list of ${typeOf(items)}`
  return maximum === undefined ? type : `${type}, at most ${maximum}`
}
