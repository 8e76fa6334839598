// The parts of the context that only the shell has, because there the machine is the caller's own, and the
// operations that need them.

import type { Disk } from '../../core/disk.ts'
import { refuse } from '../../core/error.ts'
import type { Principal, ToolSet } from '../../core/principal.ts'
import type { Remote } from '../../core/remote.ts'
import type { Server } from '../../core/server/server.ts'
import type { Launcher } from '../../core/waking/launch.ts'
import type { WorkflowHost } from '../../workflows/host.ts'
import type { AnswerOf, Holds } from './answer.ts'
import type { Fields, Input } from './field.ts'
import {
  type Context,
  type Definition,
  define,
  type Operation,
  type StoreContext,
} from './operation.ts'

export type Shell = {
  /** Starts programs. */
  launcher: Launcher
  /** The caller's file system. */
  disk: () => Promise<Disk>
  /** Reads JSON that the caller's program writes to standard input, if it does so at once. */
  stdinJson: () => Promise<unknown>
  /** Asks a server elsewhere. */
  remote: Remote
  /** Listens for callers. */
  server: Server
  /** Opens an address in the owner's browser; false if no program for that can be started. */
  browse: (url: string) => Promise<boolean>
  /** Runs workflows on this machine. Loaded when one is run. */
  workflows: () => Promise<WorkflowHost>
  /**
   * Opens the store that the call names, or makes it: for an operation that has no store by itself and finds out late that
   * it needs one. It is closed when the call is over.
   */
  openStore: () => Promise<StoreContext>
  /** Serves tools on the caller's own standard input and output. */
  speakMcp: SpeakMcp
  /** The store in full, where the caller named it. */
  named?: { by: '--db' | 'INBOX_DB'; address: string }
  /**
   * For operations that run until they are interrupted: reports one thing that was done, as data and in
   * words.
   */
  say: (line: object, words: string) => void
}

export type SpeakMcp = (want: {
  principal: Principal
  sets: readonly ToolSet[]
  origin: Context['origin']
  signal: AbortSignal
}) => Promise<void>

export type AtShell<C> = C & { shell: Shell }

/** Defines an operation that only the shell has. */
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
  return refuse('not_found', `${name} is a command of the shell; run 'inbox ${name}' there`)
}
