// The plan of a run as its turns read it: a private file, known by its digest, which stands in the command that starts
// the agent. So whoever allows that command has allowed every command in the plan, and nothing else.

import fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { refuse } from '../core/error.ts'
import type { WorkflowHost } from './host.ts'
import type { AgentPlan, WorkflowPlan } from './plan.ts'

export type KeptPlan = {
  plan: WorkflowPlan
  standalone: boolean
  /** The tools' server; absent where agents reach the tools by standard input and output alone. */
  socket?: string
  url?: string
}

const PRIVATE = 0o600
const PRIVATE_FOLDER = 0o700

/** The files of a run, in a folder of the user's own. */
export const RUN_FILES = { log: 'runner.log', runner: 'runner.json' } as const

export function agentIdOf(
  { instance }: Pick<WorkflowPlan, 'instance'>,
  { name }: Pick<AgentPlan, 'name'>,
  standalone: boolean,
): string {
  return standalone ? name : `${name}@${instance}`
}

/** The private folder of one agent, which lasts from turn to turn. */
export function agentFolder(folder: string, name: string): string {
  const path = join(folder, 'agents', name)
  fs.mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER })
  return path
}

export type PlanFile = { path: string; digest: string; text: string }

/** The file of a plan, which its digest names. It is not written yet: whoever does not get the instance writes nothing. */
export async function planFile(
  folder: string,
  kept: KeptPlan,
  digestOf: (text: string) => Promise<string>,
): Promise<PlanFile> {
  const text = JSON.stringify(kept)
  const digest = await digestOf(text)
  return { path: join(folder, `plan-${digest.slice(0, 24)}.json`), digest, text }
}

/**
 * Writes the plan and removes those of former runs, whole or half written, and what was left for runners other than the
 * one that has read `wish`. Only whoever holds the instance may.
 */
export function keepPlan(folder: string, { path, text }: PlanFile, wish = ''): void {
  for (const name of fs.readdirSync(folder)) {
    const isOld = name.startsWith('plan-') || name.startsWith('wish-')
    if (isOld && name !== basename(wish)) fs.rmSync(join(folder, name), { force: true })
  }
  writeWhole(path, text)
}

/** Leaves word of the process that holds the instance by this token. */
export function markRunner(
  folder: string,
  token: string,
  { mark }: Pick<WorkflowHost, 'mark'>,
): void {
  writeWhole(join(folder, RUN_FILES.runner), JSON.stringify({ token, mark }))
}

/** The token of a runner on this machine that is known to have ended, as after kill -9; undefined if none is. */
export function tokenOfDead(
  folder: string,
  { isGone }: Pick<WorkflowHost, 'isGone'>,
): string | undefined {
  try {
    const text = fs.readFileSync(join(folder, RUN_FILES.runner), 'utf8')
    const { token, mark } = JSON.parse(text) as { token: string; mark: string }
    return isGone(mark) ? token : undefined
  } catch {
    // No runner has been here yet.
    return undefined
  }
}

/** The same of the runner whose log this is: its lease says where it writes. */
export function deadAt(log: string, host: Pick<WorkflowHost, 'isGone'>): string | undefined {
  return log === '' ? undefined : tokenOfDead(dirname(log), host)
}

export async function readKeptPlan(
  path: string,
  expected: string,
  digest: (text: string) => Promise<string>,
): Promise<KeptPlan> {
  const text = fs.readFileSync(path, 'utf8')
  if ((await digest(text)) !== expected) {
    throw refuse(
      'invalid_state',
      `the plan in ${path} is not the one whose commands were allowed; stop the workflow and run it again`,
    )
  }
  return JSON.parse(text) as KeptPlan
}

/** Replaces a private file, all or nothing. */
export function writeWhole(path: string, text: string): void {
  const fresh = `${path}.${crypto.randomUUID()}`
  fs.writeFileSync(fresh, text, { mode: PRIVATE, flag: 'wx' })
  fs.renameSync(fresh, path)
}
