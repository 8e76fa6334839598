// The generated `mcp.json` tells a program how to start the tool server on standard input and output. It contains no
// secrets and no identity; those come from the program's environment.

import { lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TurnTask } from './backend.ts'
import { setsIn } from './tools.ts'

export const TOOL_SERVER_NAME = 'workflow-context'

/** The tool server's command line, including the agent's additional tool sets. */
export function serverWords({ mcp: { command, args }, tools }: Pick<TurnTask, 'mcp' | 'tools'>) {
  const sets = setsIn(tools)
  const at = args.indexOf('--sets')
  if (sets.length === 0 || at < 0) return { command, args }
  const offered = new Set([...(args[at + 1] ?? '').split(','), ...sets])
  return { command, args: args.with(at + 1, [...offered].join(',')) }
}

/**
 * Writes the file atomically and returns its path. Agents without additional tool sets share one in the instance's
 * folder, unless someone else's file is there.
 */
export function writeToolConfig(task: Pick<TurnTask, 'mcp' | 'tools' | 'folder' | 'dir'>): string {
  const entry = { type: 'stdio', ...serverWords(task) }
  const text = `${JSON.stringify({ mcpServers: { [TOOL_SERVER_NAME]: entry } }, null, 2)}\n`
  const path = join(setsIn(task.tools).length === 0 ? sharedFolder(task) : task.folder, FILE)
  if (textOf(path) === text) return path
  const fresh = `${path}.${crypto.randomUUID()}.tmp`
  // `wx` fails if anything already exists at this path, even a link.
  writeFileSync(fresh, text, { mode: 0o600, flag: 'wx' })
  renameSync(fresh, path)
  return path
}

/** A note for the log if the turn couldn't write its file to the instance's folder. */
export function elsewhereNote(task: Pick<TurnTask, 'folder' | 'dir'>): string | undefined {
  const { folder, dir = folder } = task
  if (sharedFolder(task) === dir) return undefined
  return `${join(dir, FILE)} is a file of yours and stays as it is; the tools of this turn are in ${join(folder, FILE)}`
}

const FILE = 'mcp.json'

function sharedFolder({ folder, dir = folder }: Pick<TurnTask, 'folder' | 'dir'>): string {
  return isFree(join(dir, FILE)) ? dir : folder
}

/** Whether the file is absent or was written by an earlier turn. */
function isFree(path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return true
  try {
    const { mcpServers, ...rest } = JSON.parse(textOf(path) ?? '')
    const { [TOOL_SERVER_NAME]: own, ...others } = mcpServers
    const keys = [rest, others].flatMap(Object.keys)
    return keys.length === 0 && Object.keys(own).join() === 'type,command,args'
  } catch {
    return false
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // There's no such file, or it can't be read.
    return null
  }
}
