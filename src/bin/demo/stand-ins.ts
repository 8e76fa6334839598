// The demo starts no program of anybody's. Where a store would start one, for an approval or to wake an agent, something
// in this process plays its part: it reads its input, takes a moment and ends as the program would.

import type { Launcher, Program, RunningProgram, SupervisorTask } from '../../core/waking/launch.ts'
import { call, type House } from '../../ops/call.ts'
import { loadOperation } from '../../ops/catalogue.ts'
import type { Shell } from '../../ops/kit/shell.ts'

export type StandIn = (program: Program) => Promise<{ code: number; stderr?: string }>

/** Everything here was set by the demo itself, and nothing of it is started. */
export const ALL_ALLOWED: House['allowedCommands'] = {
  includes: async () => true,
  allow: async () => {},
}

export type StandIns = {
  launcher: Launcher
  /** Plays the effect of a request, or a wake, to its end. */
  carryOut: (what: SupervisorTask) => Promise<void>
}

export function makeStandIns(
  house: House,
  plays: Readonly<Record<string, StandIn>>,
  signal: AbortSignal,
): StandIns {
  const start = async (program: Program): Promise<RunningProgram> => {
    const [name = ''] = program.command
    const part = plays[name]
    if (part === undefined) throw new Error('the demo has no such program')
    let stderr = ''
    const ended = part(program).then((end) => {
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
  const carryOut = async (what: SupervisorTask) => {
    const isWake = 'wake_id' in what
    const op = await loadOperation(isWake ? 'wake exec' : 'request exec')
    const raw = isWake ? { wake: what.wake_id } : { request: what.request_id }
    const launcher = { ...base, token: isWake ? what.token : undefined, supervise: async () => {} }
    const shell = { launcher, say() {} } as unknown as Shell
    const enter = async () => ({ ...house, shell })
    const called = await call(enter, { op, raw, door: 'library', signal })
    await called.settle()
  }
  const supervise = async (what: SupervisorTask) => {
    // How it ended is in the log; once the demo is over, nobody looks there any more.
    carryOut(what).catch(() => {})
  }
  return { launcher: { ...base, token: undefined, supervise }, carryOut }
}
