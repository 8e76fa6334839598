// Runs Gemini CLI without a terminal. It reads its tools from a project file, which is lent for the turn.

import {
  type CliShape,
  cliBackend,
  flagAndValue,
  messageIn,
  type ProgramEvent,
  type StreamFact,
  sessionIn,
  wordsOf,
  writePrivate,
} from './cli.ts'
import { TOOL_SERVER_NAME } from './mcp-json.ts'
import { lendProjectFile, projectVariables } from './project-file.ts'
import { isWholeOrPart, onlyFrom, ownToolsIn, splitModel } from './tools.ts'

const TOOLS = [
  'glob',
  'google_web_search',
  'grep_search',
  'list_directory',
  'read_file',
  'read_many_files',
  'replace',
  'run_shell_command',
  'save_memory',
  'web_fetch',
  'write_file',
  'write_todos',
]

export const SHAPE: CliShape = {
  name: 'gemini',
  program: 'gemini',
  remedy: 'install it with `npm install -g @google/gemini-cli`',
  tools: TOOLS,
  isTool: isWholeOrPart(TOOLS),
  modelProblem: onlyFrom('gemini', 'google', 'google/gemini-2.5-pro'),
  launch(task) {
    const { model, session, system } = task
    return {
      words: [
        '-o',
        'stream-json',
        '--approval-mode',
        'default',
        '--allowed-mcp-server-names',
        TOOL_SERVER_NAME,
        ...flagAndValue('-m', model && splitModel(model).name),
        ...flagAndValue('--resume', session),
        ...ownToolsIn(task.tools).flatMap((tool) => ['--allowed-tools', tool]),
      ],
      env: {
        ...projectVariables(task),
        // Whoever runs the workflow trusts the folder. Without this, Gemini wouldn't read the project file.
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
        ...(system === '' ? {} : { GEMINI_SYSTEM_MD: writePrivate(task, 'system.md', system) }),
      },
      input: task.prompt,
    }
  },
  read,
  lostSession: /Error resuming session/,
  around: (task) => lendProjectFile('gemini', task),
}

export const GEMINI = cliBackend(SHAPE)

function read(event: ProgramEvent): StreamFact[] {
  const { type, session_id } = event
  if (type === 'init') return sessionIn(session_id)
  if (type === 'tool_use') return [{ tool: wordsOf(event.tool_name), input: event.parameters }]
  if (type === 'message' && event.role === 'assistant') {
    const words = wordsOf(event.content)
    return event.delta === true ? [{ piece: words }] : [{ text: words }]
  }
  if (type === 'tool_result' && event.status === 'error') {
    return [{ trouble: `${wordsOf(event.tool_id)}: ${errorWords(event)}` }]
  }
  if (type === 'error') return [{ trouble: wordsOf(event.message) }]
  return type === 'result' && event.status === 'error' ? [{ failure: errorWords(event) }] : []
}

function errorWords({ error, output }: ProgramEvent): string {
  return messageIn(error, error ?? output)
}
