// Runs Codex without a terminal. It gets its tools through flags, because two agents couldn't share a project file.

import type { TurnTask } from './backend.ts'
import {
  ARGUMENT_LETTERS,
  type CliShape,
  cliBackend,
  fieldsOf,
  flagAndValue,
  messageIn,
  type ProgramEvent,
  type StreamFact,
  sessionIn,
  systemFirst,
  wordsOf,
} from './cli.ts'
import { serverWords, TOOL_SERVER_NAME } from './mcp-json.ts'
import { ownToolsIn, splitModel } from './tools.ts'

/** Instead of a list of allowed tools, Codex has a sandbox around everything the model runs. */
const SANDBOXES = ['read-only', 'workspace-write', 'danger-full-access']
const SEARCH = 'web_search'

export const SHAPE: CliShape = {
  name: 'codex',
  program: 'codex',
  remedy: 'install it with `npm install -g @openai/codex`',
  tools: [...SANDBOXES, SEARCH],
  modelProblem(model) {
    const { provider, name } = splitModel(model)
    if (name === '')
      return `the model ${JSON.stringify(model)} has no name; write openai/gpt-5-codex`
    if (provider !== 'anthropic' && provider !== 'google') return undefined
    return `codex does not run models of ${provider}; write openai/gpt-5-codex, or choose another backend`
  },
  launch(task) {
    const own = ownToolsIn(task.tools)
    const { provider, name } = splitModel(task.model ?? '')
    const sandbox = own.findLast((tool) => SANDBOXES.includes(tool)) ?? 'read-only'
    return {
      words: [
        'exec',
        '--json',
        '--skip-git-repo-check',
        '--sandbox',
        sandbox,
        ...(name === '' ? [] : ['-m', name]),
        // Any other provider is defined in the user's settings.
        ...(provider === undefined || provider === 'openai'
          ? []
          : setting('model_provider', provider)),
        ...setting('approval_policy', 'never'),
        ...(own.includes(SEARCH) ? ['-c', 'tools.web_search=true'] : []),
        '-c',
        `mcp_servers.${TOOL_SERVER_NAME}=${serverTable(task)}`,
        ...(isByFlag(task) ? setting('developer_instructions', task.system) : []),
        ...flagAndValue('resume', task.session),
        '-',
      ],
      input: isByFlag(task) ? task.prompt : systemFirst(task),
    }
  },
  read,
  lostSession: /no rollout found for thread id/,
}

export const CODEX = cliBackend(SHAPE)

/** Whether the system prompt fits into a flag. A longer one goes before the prompt instead. */
function isByFlag({ system }: TurnTask): boolean {
  return system !== '' && system.length <= ARGUMENT_LETTERS
}

function setting(key: string, value: string): string[] {
  return ['-c', `${key}=${tomlText(value)}`]
}

/** JSON strings are valid TOML, except for one character that has to be escaped in TOML. */
function tomlText(value: string): string {
  return JSON.stringify(value).replaceAll('\u007F', '\\u007F')
}

/**
 * Codex passes servers only a few environment variables, so list those needed. Their values stay in the environment.
 */
function serverTable(task: TurnTask): string {
  const { command, args } = serverWords(task)
  const known = ['INBOX_AGENT', ...Object.keys(task.mcp.env), ...Object.keys(task.env)]
  const names = [...new Set(known)].filter(
    (name) => /^(INBOX_|PG|XDG_)/.test(name) || name in task.mcp.env,
  )
  const list = (values: string[]) => `[${values.map(tomlText).join(',')}]`
  const parts = [
    `command=${tomlText(command)}`,
    `args=${list(args)}`,
    `env_vars=${list(names)}`,
    'required=true',
    'default_tools_approval_mode="approve"',
    // Tools that wait return within 45 seconds. The extra time allows for a slow start.
    'tool_timeout_sec=120',
  ]
  return `{${parts.join(',')}}`
}

function read(event: ProgramEvent): StreamFact[] {
  const { type, thread_id } = event
  if (type === 'thread.started') return sessionIn(thread_id)
  if (type === 'turn.failed') return [{ failure: messageIn(event.error) }]
  if (type === 'error') return [{ trouble: messageIn(event) }]
  const item = fieldsOf(event.item)
  if (type === 'item.started') return startFacts(item)
  return type === 'item.completed' ? itemFacts(item) : []
}

function startFacts(item: ProgramEvent): StreamFact[] {
  if (item.type === 'mcp_tool_call') return [{ tool: wordsOf(item.tool), input: item.arguments }]
  return item.type === 'command_execution' ? [{ tool: 'shell', input: item.command }] : []
}

function itemFacts(item: ProgramEvent): StreamFact[] {
  if (item.type === 'agent_message') return [{ text: wordsOf(item.text) }]
  if (item.type === 'error') return [{ trouble: messageIn(item) }]
  const isRefused = item.type === 'mcp_tool_call' && item.status === 'failed'
  return isRefused ? [{ trouble: `${wordsOf(item.tool)}: ${messageIn(item.error)}` }] : []
}
