// The launch port: what waking needs of the machine. Only the shell's door supplies it.

import type { WakeSettings } from '../agents/agent.ts'

export interface Launcher {
  /** Starts the supervisor of a wake, or of a request's effect, as a separate process. Rejects if it can't. */
  supervise(what: SupervisorTask, around: Surroundings): Promise<void>
  /** The secret that this process was started with, if it is a supervisor. */
  readonly token: string | undefined
  /** The surroundings for the supervisor's program, as the broker gave them. */
  readonly around: Surroundings
  /** Starts a program as the leader of a process group that ends with us. Rejects when it cannot. */
  start(program: Program): Promise<RunningProgram>
  /** Ends this process as it is, without waiting for anything that does not answer. */
  leave(): void
}

/** A wake is known by its token as well; of an effect the first supervisor starts the program. */
export type SupervisorTask = { wake_id: string; token: string } | { request_id: string }

/** Everything a woken program gets from its broker. */
export type Surroundings = {
  /**
   * The broker's variables that the program gets in addition to those every program needs: names, or prefixes with a
   * star; absent means all.
   */
  variables?: readonly string[]
  /**
   * The server that woke the program, which knows it there by a token for its turn. It needs no way into
   * the store.
   */
  url?: string
  /** The program gets a token for its turn, and the way into the store all the same. */
  hasToken?: boolean
}

/**
 * The commands that this user lets the store start on this machine. The command that wakes an agent is in
 * the store, and anything in the store may have come from elsewhere.
 */
export interface AllowedCommands {
  /** Whether exactly this command and folder were allowed for the agent on this machine. */
  includes(agent: string, wake: WakeSettings): Promise<boolean>
  /** Replaces what was allowed for the agent before. */
  allow(agent: string, wake: WakeSettings): Promise<void>
}

export type Program = {
  /** The program and its arguments; nothing goes through a shell. */
  command: readonly string[]
  cwd: string | undefined
  env: Record<string, string>
}

export type ProgramExit = { code: number | null; signal: string | null }

export type RunningProgram = {
  /** Resolves when the program can read more, with false when it has stopped reading. */
  give(text: string): Promise<boolean>
  /** Ends the program's input. */
  giveEnd(): void
  /** Resolves when the program itself has ended; programs that it started may go on. */
  ended: Promise<ProgramExit>
  /** The end of the program's standard error, at most 4 KB. */
  stderr(): string
  /** Signals the program and everything it started in its group. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void
  /**
   * Ends the guard at the end of the turn; until then the group would end with this process, however that
   * ends.
   */
  release(): void
}
