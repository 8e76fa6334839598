// The launch port: what waking needs from the machine. Only the shell's door supplies it.

import type { WakeSettings } from '../agents/agent.ts'

export interface Launcher {
  /** Starts the supervisor of a wake, or of a request's effect, as a separate process. Rejects if it can't. */
  supervise(what: SupervisorTask, around: Surroundings): Promise<void>
  /** The secret this process was started with, if it is a supervisor. */
  readonly token: string | undefined
  /** The surroundings for the supervisor's program, as passed on by the broker. */
  readonly around: Surroundings
  /** Starts a program as the leader of a process group that ends with this process. Rejects if it can't. */
  start(program: Program): Promise<RunningProgram>
  /** Ends this process immediately, without waiting for anything that doesn't respond. */
  leave(): void
}

export type LaunchKit = { launcher: Launcher; around: Surroundings }

/** A wake is identified by its id and its token. For an effect, the first supervisor starts the program. */
export type SupervisorTask = { wake_id: string; token: string } | { request_id: string }

/** What a woken program gets from its broker. */
export type Surroundings = {
  /**
   * The broker's environment variables to pass to the program in addition to those every program needs. Each entry is a
   * name, or a prefix with a star. If absent, all are passed.
   */
  variables?: readonly string[]
  /**
   * The server that woke the program. It identifies the program by a token for its turn, so the program needs no access
   * to the store.
   */
  url?: string
  /** Whether the program gets a token for its turn, besides access to the store. */
  hasToken?: boolean
}

/**
 * The commands that this user lets the store start on this machine. An agent's wake command is in the store, and the
 * store's contents may have come from elsewhere.
 */
export interface AllowedCommands {
  /** Whether exactly this command and folder are allowed for the agent on this machine. */
  includes(agent: string, wake: WakeSettings): Promise<boolean>
  /** Replaces what was allowed for the agent before. */
  allow(agent: string, wake: WakeSettings): Promise<void>
}

export type Program = {
  /** The program and its arguments, started without a shell. */
  command: readonly string[]
  cwd: string | undefined
  env: Record<string, string>
}

export type ProgramExit = { code: number | null; signal: string | null }

export type RunningProgram = {
  /** Resolves to true once the program can read more, or to false if it has stopped reading. */
  give(text: string): Promise<boolean>
  giveEnd(): void
  /** Resolves when the program itself has ended; programs it started may still be running. */
  ended: Promise<ProgramExit>
  /** The end of the program's standard error, at most 4 KB. */
  stderr(): string
  /** Signals the program and all processes it started in its group. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void
  /** Stops the guard at the end of the turn. Until then, the group ends when this process ends for any reason. */
  release(): void
}
