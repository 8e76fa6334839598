// Test agents append a line for each turn to a file they share.

import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type Turn = {
  agent: string
  wake: string
  /** Why the broker started the agent. */
  cause: string
  pid: number
  cwd: string
  /** The ids of the messages it was given. */
  mail: string[]
  /** Names of environment variables that should not have reached the agent. */
  leaked: string[]
  /** A process that the agent left behind. */
  child?: number
  /** Whether another turn of the same agent was still running. */
  overlaps?: boolean
}

const SECRET = ['INBOX_WAKE_TOKEN', 'BUN_OPTIONS', 'BUN_BE_BUN']

const TURNS = 'turns.jsonl'

export function noteTurn(folder: string, more: Pick<Turn, 'mail' | 'child' | 'overlaps'>): void {
  const turn: Turn = {
    agent: process.env.INBOX_AGENT ?? '',
    wake: process.env.INBOX_WAKE ?? '',
    cause: process.env.INBOX_WAKE_CAUSE ?? '',
    pid: process.pid,
    cwd: process.cwd(),
    leaked: SECRET.filter((name) => process.env[name] !== undefined),
    ...more,
  }
  // A single write to a file opened for appending, so lines from several processes never mix.
  appendFileSync(join(folder, TURNS), `${JSON.stringify(turn)}\n`)
}

/** The turns recorded so far. A line doesn't count until its newline is written. */
export function notedTurns(folder: string): Turn[] {
  const path = join(folder, TURNS)
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as Turn)
}

/** Reads all of stdin, with one message per line. */
export async function givenMail(): Promise<string[]> {
  const text = await new Response(Bun.stdin.stream()).text()
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { id: string }).id)
}

/** Returns once the test removes the file named `hold`. */
export async function whileHeld(folder: string): Promise<void> {
  while (existsSync(join(folder, 'hold'))) await sleep(5)
}
