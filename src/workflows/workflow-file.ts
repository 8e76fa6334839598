// Reads a workflow file from disk, and checks with each agent's backend whether it can run the agent here.
//
// Prompt files must be in the folder of the workflow file or below it: a path outside, even through a symbolic link, is
// refused. That way, the folder contains the whole workflow, which can be read, checked and shared as a unit.

import fs from 'node:fs'
import { dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { backendOf, type MachineLook } from '../backends/backend.ts'
import { quote, refuse } from '../core/error.ts'
import type { Instant } from '../core/time.ts'
import { LIMITS } from './keys.ts'
import type { AgentPlan, FilePlace, Problem, ReadWorkflow } from './plan.ts'
import type { ReadAround } from './read-parts.ts'
import { byPlace, readWorkflow } from './read-workflow.ts'

const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = fs.constants

export type FileWish = Omit<ReadAround, 'path' | 'readText' | 'now'> & {
  /** Relative to the working folder. */
  file: string
  now: Instant
}

/** Returns the absolute path as `file`. Refuses a file that can't be read at all. */
export async function readWorkflowFile({
  file,
  ...wish
}: FileWish): Promise<ReadWorkflow & { file: string }> {
  const path = resolve(wish.cwd, file)
  const text = textOf(path, LIMITS.fileBytes)
  if ('why' in text) {
    const { why, remedy } = text
    throw refuse.invalid_input`the workflow file ${quote(file)} ${why}; ${remedy}`
  }
  const readText = (beside: string) => readBeside(path, beside)
  const read = await readWorkflow(text.text, { ...wish, path, readText })
  return { ...read, file: path }
}

type FileText = { text: string } | { why: string; remedy: string }

function readBeside(workflow: string, beside: string): FileText {
  const folder = dirname(workflow)
  if (isAbsolute(beside)) return OUTSIDE
  const path = join(folder, beside)
  // Check this first: for a missing file outside the folder, OUTSIDE is the better message.
  if (!path.startsWith(folder === sep ? sep : folder + sep)) return OUTSIDE
  return textOf(path, LIMITS.prompt, folder)
}

const OUTSIDE = { why: 'lies outside the folder of the workflow file', remedy: 'move it there' }

/**
 * Opens the file before checking it, so that the checks apply to the file that's read. Opening a pipe doesn't block.
 * With `inside`, the real path must be in that folder and still lead to the open file.
 */
function textOf(path: string, most: number, inside?: string): FileText {
  let fd: number
  try {
    fd = fs.openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
  } catch (error) {
    return absence(error)
  }
  try {
    const stat = fs.fstatSync(fd)
    if (inside !== undefined && !liesIn(inside, path, stat)) return OUTSIDE
    if (!stat.isFile()) return { why: 'is not a file', remedy: 'name a file' }
    if (stat.size > most) {
      return { why: `has ${stat.size} bytes`, remedy: `keep it under ${most}` }
    }
    const bytes = new Uint8Array(most + 1)
    let read = 0
    for (let more = -1; more !== 0 && read <= most; read += more) {
      more = fs.readSync(fd, bytes, read, bytes.length - read, null)
    }
    if (read > most) return { why: `has over ${most} bytes`, remedy: 'keep it shorter' }
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, read)) }
  } catch (error) {
    if (error instanceof TypeError) {
      return { why: 'is not UTF-8 text', remedy: 'save it as UTF-8' }
    }
    return absence(error)
  } finally {
    fs.closeSync(fd)
  }
}

function liesIn(folder: string, path: string, { dev, ino }: fs.Stats): boolean {
  const base = fs.realpathSync.native(folder)
  const real = fs.realpathSync.native(path)
  const there = fs.lstatSync(real)
  return real.startsWith(base === sep ? sep : base + sep) && there.dev === dev && there.ino === ino
}

function absence(error: unknown): { why: string; remedy: string } {
  const { code = '' } = error as NodeJS.ErrnoException
  const missing = { why: 'does not exist', remedy: 'create it, or fix its name' }
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return missing
  if (code === 'EISDIR') return { why: 'is a folder', remedy: 'name a file in it' }
  return { why: `cannot be read (${code})`, remedy: 'see who may read it' }
}

/** A machine with every program and every key, for checking the file alone. */
export const ANY_MACHINE: MachineLook = {
  which: (program) => program,
  env: new Proxy({}, { get: (_, name) => (String(name).endsWith('_KEY') ? 'set' : undefined) }),
}

/** All problems in the file, and those of agents that their backends can't run. */
export async function problemsOf(read: ReadWorkflow, look: MachineLook): Promise<Problem[]> {
  const [inFile, agents] = 'plan' in read ? [[], read.plan.agents] : [read.problems, read.agents]
  // Setup may create a program that's named by its path, so assume that it exists.
  const hasSetup = !('plan' in read) || read.plan.setup.length > 0
  const which = (program: string) => (program.includes('/') ? program : look.which(program))
  const here = hasSetup ? { ...look, which } : look
  return [...inFile, ...(await backendProblems(agents, here, read.places))].sort(byPlace)
}

export async function backendProblems(
  agents: readonly AgentPlan[],
  look: MachineLook,
  places: ReadonlyMap<string, FilePlace> = new Map(),
): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const agent of agents) {
    const { check } = await backendOf(agent.backend)
    for (const text of check(agent, look)) {
      const at = text.indexOf('; ')
      const what = at < 0 ? text : text.slice(0, at)
      const remedy = at < 0 ? 'change the agent' : text.slice(at + 2)
      problems.push({ ...placeOf(agent, text, places), what, remedy })
    }
  }
  return problems
}

/** The place of the tool the problem mentions, or else of the agent. */
function placeOf(
  { name, tools }: AgentPlan,
  problem: string,
  places: ReadonlyMap<string, FilePlace>,
): FilePlace {
  const path = `agents.${name}`
  const tool = tools.findIndex((one) => problem.includes(JSON.stringify(one)))
  const place = tool < 0 ? undefined : places.get(`${path}.tools.${tool}`)
  return place ?? places.get(`${path}:`) ?? { line: 1, column: 1 }
}
