// The demo doesn't start programs on this machine. Where a store would start one, for an approval or to wake an
// agent, a function in this process stands in for it: it takes the program's input, waits a moment and ends as the
// program would.

import type {
  AllowedCommands,
  Launcher,
  Program,
  RunningProgram,
  SupervisorTask,
} from '../../core/waking/launch.ts'
import { callDirectly } from '../../ops/call.ts'
import { loadOperation } from '../../ops/catalogue.ts'
import type { Shell } from '../../ops/kit/shell.ts'
import { answerMail } from './answers.ts'
import { pause, type Stage } from './stage.ts'

/** The demo set every command itself and starts none. */
export const ALL_ALLOWED: AllowedCommands = {
  includes: async () => true,
  allow: async () => {},
}

type StandInEnd = { code: number; stderr?: string }

/** By the first word of the commands in the log. */
const PROGRAMS: Record<string, (stage: Stage) => Promise<StandInEnd>> = {
  async 'apply-settings'(stage) {
    await pause(stage, 3)
    return { code: 0 }
  },
  async 'publish-answers'(stage) {
    await pause(stage, 4)
    const stderr = 'publish-answers: the help desk does not answer (503); nothing was published\n'
    return { code: 1, stderr }
  },
  async opencode(stage) {
    await pause(stage, 2)
    await answerMail(stage, 'wren', { waitSeconds: 0 })
    return { code: 0 }
  },
}

export function makeStandIns(stage: Stage): Launcher {
  const { house, signal } = stage
  const start = async ({ command }: Program): Promise<RunningProgram> => {
    const program = PROGRAMS[command[0] ?? '']
    if (program === undefined) throw new Error('the demo has no such program')
    let stderr = ''
    const ended = program(stage).then((end) => {
      stderr = end.stderr ?? ''
      return { code: end.code, signal: null }
    })
    return {
      give: async () => true,
      giveEnd() {},
      ended,
      stderr: () => stderr,
      signal() {},
      release() {},
    }
  }
  const base = { around: {}, start, leave() {} }
  const carryOut = async (task: SupervisorTask) => {
    const isWake = 'wake_id' in task
    const op = await loadOperation(isWake ? 'wake exec' : 'request exec')
    const raw = isWake ? { wake: task.wake_id } : { request: task.request_id }
    const launcher = { ...base, token: isWake ? task.token : undefined, supervise: async () => {} }
    const shell = { launcher, say() {} } as unknown as Shell
    const want = { op, raw, door: 'library', signal } as const
    await callDirectly(async () => ({ ...house, shell }), want)
  }
  const supervise = async (task: SupervisorTask) => {
    // The log records how it ended; after the demo no one reads it.
    carryOut(task).catch(() => {})
  }
  return { ...base, token: undefined, supervise }
}
