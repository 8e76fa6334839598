// The private folder of an instance: the plan, which its turns read; the marks of runners; and for each agent, the log
// of its turns and its state between turns.
// (1) The plan's file is identified by its digest, which is part of the command that starts each agent. Allowing that
//     command therefore allows the commands in the plan, and no others.
// (2) Only the runner that holds the instance writes here, except for its turns, which write in their agent's folder.
// (3) The output of programs stays in the log. It doesn't go to any inbox, because it isn't addressed to anyone.

import fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { refuse } from '../core/error.ts'
import type { WorkflowHost } from './host.ts'
import type { WorkflowPlan } from './plan.ts'

export type KeptPlan = {
  plan: WorkflowPlan
  standalone: boolean
}

const PRIVATE = 0o600
const PRIVATE_FOLDER = 0o700

const TURN_LOG = 'turns.jsonl'
const STATE = 'state.json'
/** Logs longer than this are rotated; one old log is kept. */
const MOST_BYTES = 16 * 1024 * 1024
/** How much of a log is read to find its last lines. */
const TAIL_BYTES = 256 * 1024
export const RUNNER_FILES = { log: 'runner.log', runner: 'runner.json' } as const

/** The private folder of one agent, kept from turn to turn. */
export function agentFolder(folder: string, name: string): string {
  const path = join(folder, 'agents', name)
  fs.mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER })
  return path
}

export type PlanFile = { path: string; digest: string; text: string }

/** The plan's file, named by its digest. Not written yet: a runner that can't take the instance must not write. */
export async function makePlanFile(
  folder: string,
  kept: KeptPlan,
  digestOf: (text: string) => Promise<string>,
): Promise<PlanFile> {
  const text = JSON.stringify(kept)
  const digest = await digestOf(text)
  return { path: join(folder, `plan-${digest.slice(0, 24)}.json`), digest, text }
}

/**
 * Writes the plan. Removes the plans of earlier starts, complete or half written, and wishes left for other runners. Only the
 * runner that holds the instance may do this.
 */
export function keepPlan(folder: string, { path, text }: PlanFile, wish = ''): void {
  for (const name of fs.readdirSync(folder)) {
    const isOld = name.startsWith('plan-') || name.startsWith('wish-')
    if (isOld && name !== basename(wish)) fs.rmSync(join(folder, name), { force: true })
  }
  writeWhole(path, text)
}

/** Records which process holds the instance with this token. */
export function markRunner(
  folder: string,
  token: string,
  { mark }: Pick<WorkflowHost, 'mark'>,
): void {
  writeWhole(join(folder, RUNNER_FILES.runner), JSON.stringify({ token, mark }))
}

/** The token of a runner on this machine that is known to be dead, such as after kill -9. */
export function tokenOfDead(
  folder: string,
  { isGone }: Pick<WorkflowHost, 'isGone'>,
): string | undefined {
  try {
    const text = fs.readFileSync(join(folder, RUNNER_FILES.runner), 'utf8')
    const { token, mark } = JSON.parse(text) as { token: string; mark: string }
    return isGone(mark) ? token : undefined
  } catch {
    // No runner has used this folder yet.
    return undefined
  }
}

/** Finds a dead runner's token by the path of its log, which is in its lease. */
export function tokenOfDeadAt(log: string, host: Pick<WorkflowHost, 'isGone'>): string | undefined {
  return log === '' ? undefined : tokenOfDead(dirname(log), host)
}

export async function readKeptPlan(
  path: string,
  expected: string,
  digest: (text: string) => Promise<string>,
): Promise<KeptPlan> {
  const text = fs.readFileSync(path, 'utf8')
  if ((await digest(text)) !== expected)
    throw refuse.invalid_state`the plan in ${path} is not the one whose commands were allowed; stop the workflow and run it again`
  return JSON.parse(text) as KeptPlan
}

export function writeWhole(path: string, text: string): void {
  const fresh = `${path}.${crypto.randomUUID()}`
  fs.writeFileSync(fresh, text, { mode: PRIVATE, flag: 'wx' })
  fs.renameSync(fresh, path)
}

export type TurnLogLine = {
  at: string
  wake: string
  kind: 'text' | 'tool' | 'error' | 'end'
  text: string
}

export function appendTurnLog(folder: string, line: TurnLogLine): void {
  const path = join(folder, TURN_LOG)
  if ((fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) {
    fs.renameSync(path, `${path}.1`)
  }
  fs.appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: PRIVATE })
}

/** The lines after an offset, and the offset after them. */
export function readTurnLog(folder: string, from: number): { lines: TurnLogLine[]; end: number } {
  const path = join(folder, TURN_LOG)
  const size = fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const start = size < from ? 0 : Math.max(from, size - MOST_BYTES)
  if (size === start) return { lines: [], end: size }
  const bytes = readPart(path, start, size - start)
  const last = bytes.lastIndexOf(10) + 1
  return { lines: parse(bytes.subarray(0, last)), end: start + last }
}

export function lastOfTurnLog(folder: string, count: number): TurnLogLine[] {
  const path = join(folder, TURN_LOG)
  const size = fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const start = Math.max(0, size - TAIL_BYTES)
  const bytes = readPart(path, start, size - start)
  const first = start === 0 ? 0 : bytes.indexOf(10) + 1
  return parse(bytes.subarray(first)).slice(-count)
}

function readPart(path: string, start: number, length: number): Buffer {
  if (length === 0) return Buffer.alloc(0)
  const fd = fs.openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, fs.readSync(fd, bytes, 0, length, start))
  } finally {
    fs.closeSync(fd)
  }
}

function parse(bytes: Buffer): TurnLogLine[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as TurnLogLine]
      } catch {
        // The turn was killed in the middle of a line.
        return []
      }
    })
}

/** What is kept from turn to turn: the backend's session and the end of the last output. */
export type AgentState = {
  session: string | null
  last: string
  /** Why the last turn failed; its supervisor only knows how the process ended. */
  failed?: { wake: string; why: string }
}

export function readAgentState(folder: string): AgentState {
  try {
    return JSON.parse(fs.readFileSync(join(folder, STATE), 'utf8')) as AgentState
  } catch {
    // There hasn't been a turn yet.
    return { session: null, last: '' }
  }
}

export function keepAgentState(folder: string, state: AgentState): void {
  writeWhole(join(folder, STATE), JSON.stringify(state))
}
