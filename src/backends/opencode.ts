// Runs opencode without a terminal. Our settings are passed in an environment variable and added to its existing ones.

import type { TurnTask } from './backend.ts'
import {
  type CliShape,
  cliBackend,
  fieldsOf,
  flagAndValue,
  messageIn,
  type ProgramEvent,
  type StreamFact,
  sessionIn,
  wordsOf,
  writePrivate,
} from './cli.ts'
import { serverWords, TOOL_SERVER_NAME } from './mcp-json.ts'
import { ownToolsIn, splitModel } from './tools.ts'

const TOOLS = [
  'bash',
  'edit',
  'glob',
  'grep',
  'list',
  'patch',
  'read',
  'skill',
  'task',
  'todowrite',
  'webfetch',
  'websearch',
  'write',
]

/** These tools have side effects, so an agent gets only the ones it names. */
const GUARDED: Record<string, readonly string[]> = {
  bash: ['bash'],
  edit: ['edit', 'write', 'patch'],
  webfetch: ['webfetch'],
  websearch: ['websearch'],
}

const VARIABLE = 'OPENCODE_CONFIG_CONTENT'

export const SHAPE: CliShape = {
  name: 'opencode',
  program: 'opencode',
  remedy: 'install it with `npm install -g opencode-ai`',
  tools: TOOLS,
  modelProblem(model) {
    const { provider, name } = splitModel(model)
    if (provider && name) return undefined
    return `opencode needs a model with its provider; write for example anthropic/claude-sonnet-4-5, and not ${JSON.stringify(model)}`
  },
  launch: (task) => ({
    words: [
      'run',
      '--format',
      'json',
      '--agent',
      agentName(task),
      ...flagAndValue('--model', task.model),
      ...flagAndValue('--session', task.session),
    ],
    env: { [VARIABLE]: JSON.stringify(settings(task)) },
    input: task.prompt,
  }),
  read,
  lostSession: /Session not found/i,
}

export const OPENCODE = cliBackend(SHAPE)

/** A name that doesn't clash with opencode's built-in agents. */
function agentName({ name }: TurnTask): string {
  return `workflow-${name}`
}

function settings(task: TurnTask): object {
  const { command, args } = serverWords(task)
  const before = settingsIn(task.env[VARIABLE])
  const own = ownToolsIn(task.tools)
  const permission = Object.fromEntries(
    Object.entries(GUARDED).map(([key, names]) => [
      key,
      names.some((name) => own.includes(name)) ? 'allow' : 'deny',
    ]),
  )
  const server = { type: 'local', command: [command, ...args], enabled: true }
  // Write the prompt to a file: environment variables are limited in size, and opencode would expand {env:NAME} in it.
  const agent = {
    mode: 'primary',
    permission,
    ...(task.system === ''
      ? {}
      : { prompt: `{file:${writePrivate(task, 'system.md', task.system)}}` }),
  }
  return {
    ...before,
    share: 'disabled',
    mcp: { ...fieldsOf(before.mcp), [TOOL_SERVER_NAME]: server },
    agent: { ...fieldsOf(before.agent), [agentName(task)]: agent },
  }
}

function settingsIn(text: string | undefined): ProgramEvent {
  if (text === undefined || text.trim() === '') return {}
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    throw new Error(`${VARIABLE} in the environment is not JSON; fix it, or unset it`)
  }
}

function read(event: ProgramEvent): StreamFact[] {
  const { type, sessionID } = event
  const session = sessionIn(sessionID)
  const part = fieldsOf(event.part)
  if (type === 'text') return [...session, { text: wordsOf(part.text) }]
  if (type === 'error') return [...session, { failure: errorWords(event.error) }]
  if (type !== 'tool_use') return session
  const state = fieldsOf(part.state)
  const tool = { tool: wordsOf(part.tool), input: state.input }
  const trouble = { trouble: `${tool.tool}: ${wordsOf(state.error)}` }
  return [...session, tool, ...(state.status === 'error' ? [trouble] : [])]
}

function errorWords(error: unknown): string {
  const { data, name } = fieldsOf(error)
  return messageIn(data, name ?? error)
}
