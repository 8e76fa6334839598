// For programs that read their tools from a file in their working folder. That file is lent for the turn. Whatever
// differs between agents comes from the environment, so all agents in a folder can share one entry.

import type { TurnTask } from './backend.ts'
import type { LivingProcess } from './flag-lock.ts'
import { borrow, type Loan, repair } from './journal.ts'
import { serverWords, TOOL_SERVER_NAME } from './mcp-json.ts'

type ProjectFile = {
  file: string
  /** Writes a reference to an environment variable in the program's own syntax. */
  spell: (variable: string) => string
  more: object
}

const PROJECT_FILES: Record<'cursor' | 'gemini', ProjectFile> = {
  cursor: { file: '.cursor/mcp.json', spell: (name) => `\${env:${name}}`, more: {} },
  gemini: {
    file: '.gemini/settings.json',
    spell: (name) => `\${${name}}`,
    // Without this, the program would ask for permission before each call.
    more: { trust: true },
  },
}

const SETS = 'INBOX_MCP_SETS'
const IDENTITY = ['INBOX_AGENT', SETS]

/** The environment variables that the entry refers to. */
export function projectVariables(task: TurnTask): Record<string, string> {
  const { args } = serverWords(task)
  return { [SETS]: args[args.indexOf('--sets') + 1] ?? '' }
}

/** Lends the project file until the returned function is called. */
export function lendProjectFile(name: 'cursor' | 'gemini', task: TurnTask) {
  return borrow(loanFor(name, task), task.living)
}

function loanFor(name: 'cursor' | 'gemini', task: TurnTask): Loan {
  const { file, spell, more } = PROJECT_FILES[name]
  const { command, args } = serverWords(task)
  const at = args.indexOf('--sets')
  const names = [...new Set([...IDENTITY, ...Object.keys(task.mcp.env)])].sort()
  const value = {
    command,
    args: at < 0 ? args : args.with(at + 1, spell(SETS)),
    env: Object.fromEntries(names.map((one) => [one, spell(one)])),
    ...more,
  }
  return { root: task.cwd, name, piece: { file, put: ['mcpServers', TOOL_SERVER_NAME], value } }
}

/**
 * Restores project files that a killed turn left changed and no process uses anymore. Returns a problem for each file
 * that couldn't be restored.
 */
export async function repairProjectFiles(cwd: string, living: LivingProcess): Promise<string[]> {
  const problems: string[] = []
  for (const name of Object.keys(PROJECT_FILES)) {
    problems.push(...(await repair({ root: cwd, name }, living)))
  }
  return problems
}
