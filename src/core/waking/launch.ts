// The launch port: what waking needs of the machine. Only the shell's door supplies it.

import type { WakeSettings } from '../agents/agent.ts'

export interface Launcher {
  /** Starts the program that watches over one wake, apart from this one. Rejects when it cannot. */
  supervise(wake: { wake_id: string; token: string }, around: Surroundings): Promise<void>
  /** The secret this process was started with, if it watches over a wake. */
  readonly token: string | undefined
  /** What it was told of the world its program is to be started in. */
  readonly around: Surroundings
  /** Starts a program as the leader of a process group that ends with us. Rejects when it cannot. */
  start(program: Program): Promise<RunningProgram>
  /** Ends this process as it is, without waiting for anything that does not answer. */
  leave(): void
}

/** What a woken program gets of the world around its broker. */
export type Surroundings = {
  /** The broker's variables that it gets, beside those every program needs: names, or beginnings with a
   *  star. Absent: all. */
  variables?: readonly string[]
  /** The server that woke it. There it is known by a token for its turn, and needs no way into the store. */
  url?: string
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
  /** The program and its words; nothing is given to a shell. */
  command: readonly string[]
  cwd: string | undefined
  env: Record<string, string>
}

export type ProgramExit = { code: number | null; signal: string | null }

export type RunningProgram = {
  /** Resolves when the program has room for more, with false when it reads no more. */
  give(text: string): Promise<boolean>
  /** Nothing more will be given. */
  giveEnd(): void
  /** When the program itself has ended; what it left running may go on. */
  ended: Promise<ProgramExit>
  /** The end of what it wrote to standard error, in at most 4 KB. */
  stderr(): string
  /** To the program and everything it started in its group. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void
  /** The turn is over; until then the group would end with this process, however that ends. */
  release(): void
}
