// The parts of the context that only the shell has, because it runs on the caller's machine, and the wrapper that
// defines operations needing them.

import type { Disk } from '../../core/disk.ts'
import { refuse } from '../../core/error.ts'
import type { House } from '../../core/house.ts'
import type { Principal, ToolSet } from '../../core/principal.ts'
import type { Remote } from '../../core/remote.ts'
import type { Server } from '../../core/server/server.ts'
import type { Launcher } from '../../core/waking/launch.ts'
import type { WorkflowHost } from '../../workflows/host.ts'
import type { AnswerOf, Holds } from './answer.ts'
import type { Fields, Input } from './field.ts'
import { type Context, type Definition, define, type Operation } from './operation.ts'

export type Shell = {
  launcher: Launcher
  /** The caller's file system. */
  disk: () => Promise<Disk>
  /** Reads JSON that the caller's program writes to standard input, if it does so right away. */
  stdinJson: () => Promise<unknown>
  /** Calls a remote server. */
  remote: Remote
  server: Server
  /** Opens an address in the owner's browser; false if no program can do that. */
  browse: (url: string) => Promise<boolean>
  /** Runs workflows on this machine. Loaded on first use. */
  workflows: () => Promise<WorkflowHost>
  /**
   * Opens or creates the store named by the call, for an operation that runs without a store and finds out late that
   * it needs one. Closed when the call ends.
   */
  openStore: () => Promise<House>
  /** Serves MCP tools on the caller's standard input and output. */
  speakMcp: SpeakMcp
  /** The store's address, if the caller gave one. */
  named?: { by: '--db' | 'INBOX_DB'; address: string }
  /** For operations that run until interrupted: reports one event, as data and as text. */
  say: (line: object, words: string) => void
}

export type SpeakMcp = (want: {
  principal: Principal
  sets: readonly ToolSet[]
  origin: Context['origin']
  signal: AbortSignal
}) => Promise<void>

export type AtShell<C> = C & { shell: Shell }

export function command<F extends Fields, H extends Holds, R extends AnswerOf<H>>(
  op: Omit<Definition<F, H, R>, 'at' | 'set' | 'run'> & {
    run: (context: AtShell<Context>, input: Input<F>) => Promise<R>
  },
): Operation<F, AnswerOf<H>> & { at: 'shell' } {
  const run = (context: Context, input: Input<F>) => {
    const { shell } = context
    if (shell === undefined) throw notHere(op.name)
    return op.run({ ...context, shell }, input)
  }
  return { ...define({ ...op, takesKey: false, set: 'none', run }), at: 'shell' }
}

export function notHere(name: string) {
  return refuse.not_found`${name} is a command of the shell; run 'inbox ${name}' there`
}
