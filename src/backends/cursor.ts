// Runs Cursor's CLI without a terminal. It reads its tools from a project file, which is lent for the turn. The CLI
// isn't in any package registry, so no test here has run it: its arguments and events follow its documentation.

import { readClaude } from './claude.ts'
import {
  type CliShape,
  cliBackend,
  fieldsOf,
  flagAndValue,
  type ProgramEvent,
  type StreamFact,
  systemFirst,
} from './cli.ts'
import { lendProjectFile, projectVariables } from './project-file.ts'
import { ownToolsIn, splitModel } from './tools.ts'

/** Cursor reads permissions from its own files; `force` lets it run commands and write files. */
const FORCE = 'force'

export const SHAPE: CliShape = {
  name: 'cursor',
  program: 'cursor-agent',
  remedy: 'install it as cursor.com/cli says',
  tools: [FORCE],
  modelProblem: (model) =>
    splitModel(model).name === '' ? `the model ${JSON.stringify(model)} has no name` : undefined,
  launch: (task) => ({
    words: [
      '-p',
      '--output-format',
      'stream-json',
      '--approve-mcps',
      '--trust',
      ...(ownToolsIn(task.tools).includes(FORCE) ? ['--force'] : []),
      ...flagAndValue('--model', task.model && splitModel(task.model).name),
      ...flagAndValue('--resume', task.session),
    ],
    env: projectVariables(task),
    // Cursor has no flag for a system prompt, and reads its prompt from standard input.
    input: systemFirst(task),
  }),
  read,
  lostSession: /(chat|session|conversation)\b.*\bnot found/i,
  around: (task) => lendProjectFile('cursor', task),
}

export const CURSOR = cliBackend(SHAPE)

function read(event: ProgramEvent): StreamFact[] {
  const { type, subtype } = event
  if (type !== 'tool_call') return readClaude(event)
  if (subtype !== 'started') return []
  return Object.entries(fieldsOf(event.tool_call)).map(([key, call]) => ({
    tool: key.replace(/ToolCall$/, ''),
    input: fieldsOf(call).args,
  }))
}
