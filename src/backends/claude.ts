// Runs Claude Code without a terminal. It gets its MCP tools from one file only (`--strict-mcp-config`).

import {
  ARGUMENT_LETTERS,
  type CliShape,
  cliBackend,
  fieldsOf,
  flagAndValue,
  listOf,
  type ProgramEvent,
  type StreamFact,
  sessionIn,
  wordsOf,
  writePrivate,
} from './cli.ts'
import { TOOL_SERVER_NAME, writeToolConfig } from './mcp-json.ts'
import { isWholeOrPart, onlyFrom, ownToolsIn, splitModel } from './tools.ts'

const TOOLS = [
  'Bash',
  'Edit',
  'Glob',
  'Grep',
  'LS',
  'MultiEdit',
  'NotebookEdit',
  'NotebookRead',
  'Read',
  'Skill',
  'Task',
  'TodoWrite',
  'WebFetch',
  'WebSearch',
  'Write',
]

export const SHAPE: CliShape = {
  name: 'claude',
  program: 'claude',
  remedy: 'install it with `npm install -g @anthropic-ai/claude-code`',
  tools: TOOLS,
  isTool: isWholeOrPart(TOOLS),
  modelProblem: onlyFrom('claude', 'anthropic', 'anthropic/claude-sonnet-4-5'),
  launch(task) {
    const { model, session, system } = task
    const prompt =
      system.length > ARGUMENT_LETTERS
        ? ['--system-prompt-file', writePrivate(task, 'system.md', system)]
        : ['--system-prompt', system]
    return {
      words: [
        '-p',
        '--output-format',
        'stream-json',
        '--verbose',
        '--strict-mcp-config',
        '--mcp-config',
        writeToolConfig(task),
        ...(system === '' ? [] : prompt),
        ...flagAndValue('--model', model && splitModel(model).name),
        ...flagAndValue('--resume', session),
        '--allowedTools',
        `mcp__${TOOL_SERVER_NAME}`,
        ...ownToolsIn(task.tools),
      ],
      env: NOT_NESTED,
      input: task.prompt,
    }
  },
  read: readClaude,
  lostSession: /No conversation found with session ID/,
}

export const CLAUDE = cliBackend(SHAPE)

/** Cleared, so that a runner started inside a Claude Code session can start separate sessions. */
const NOT_NESTED = { CLAUDECODE: '', CLAUDE_CODE_ENTRYPOINT: '', CLAUDE_CODE_SESSION_ID: '' }

/** Also used for Cursor, whose events have the same shapes. */
export function readClaude(event: ProgramEvent): StreamFact[] {
  const { type, subtype, session_id } = event
  const session = sessionIn(session_id)
  if (type === 'system' && subtype === 'init') return [...session, ...deadServers(event)]
  if (type === 'assistant') return listOf(fieldsOf(event.message).content).flatMap(blockFacts)
  if (type !== 'result') return []
  const denied = listOf(event.permission_denials).map(({ tool_name }) => ({
    trouble: `it may not use ${wordsOf(tool_name)}; name it in the tools of the agent`,
  }))
  if (event.is_error !== true) return [...session, ...denied]
  const errors = Array.isArray(event.errors) ? event.errors.map(wordsOf) : []
  const failure = wordsOf(event.result) || errors.join('; ') || wordsOf(subtype)
  return [...denied, { failure }]
}

function blockFacts({ type, text, name, input }: ProgramEvent): StreamFact[] {
  if (type === 'text') return [{ text: wordsOf(text) }]
  return type === 'tool_use' ? [{ tool: wordsOf(name), input }] : []
}

/** Without these tools the agent couldn't read or write anything, but Claude Code would carry on anyway. */
function deadServers({ mcp_servers }: ProgramEvent): StreamFact[] {
  return listOf(mcp_servers)
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => ({ failure: `the tools ${wordsOf(name)} did not start` }))
}
