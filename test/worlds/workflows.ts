// Workflows for tests: a file and its agents in a folder, run by the built program as users run it. The store's clock
// runs, because leases and pauses depend on time.

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Ran, type RunningInbox, startInbox } from '../faults/inbox.ts'
import { PROGRAM } from './program.ts'
import type { TestStore } from './store.ts'

export type Flow = {
  folder: string
  env: Record<string, string>
  /** Writes a file into the folder. */
  file(name: string, text: string): void
  /** Starts a command of the program in the folder. */
  start(...words: string[]): RunningInbox
  run(...words: string[]): Promise<Ran>
  /** The answer of a command with --json: the last line of its output. */
  ask<A = Record<string, unknown>>(...words: string[]): Promise<A>
  /** The lines that an agent's script has written. */
  notes(name?: string): string[]
}

export async function flowIn(
  store: Pick<TestStore, 'folder' | 'address' | 'sql' | 'spoil'>,
): Promise<Flow> {
  store.spoil?.()
  await store.sql("delete from settings where name = 'clock'")
  const { folder } = store
  const runtime = join(folder, 'runtime')
  mkdirSync(runtime, { mode: 0o700 })
  chmodSync(runtime, 0o700)
  const env = {
    INBOX_DB: store.address,
    XDG_RUNTIME_DIR: runtime,
    INBOX_PROGRAM: PROGRAM,
    NOTES: join(folder, 'notes'),
  }
  const start = (...words: string[]) => startInbox(words, { folder, env })
  return {
    folder,
    env,
    file: (name, text) => writeFileSync(join(folder, name), text),
    start,
    run: (...words) => start(...words).ended,
    async ask(...words) {
      const { stdout, stderr } = await start(...words, '--json').ended
      const last = stdout.trimEnd().split('\n').at(-1) ?? ''
      try {
        return JSON.parse(last)
      } catch {
        throw new Error(`${words.join(' ')} answered ${stdout}${stderr}`)
      }
    },
    notes(name = 'notes') {
      try {
        const lines = readFileSync(join(folder, name), 'utf8').split('\n')
        // The last line may be incomplete.
        return lines.slice(0, -1)
      } catch {
        return []
      }
    },
  }
}

/** The answer of a run that has ended. */
export type Report = {
  ended: string
  why: string
  turns: number
  agents: { name: string; turns: number; unread: number; last: string }[]
}

/** A script that saves its mail and introduces itself. */
export const HELLO = 'cat >> "$NOTES"; echo "hello from $INBOX_AGENT"'

/** The beginning of a command that posts in the channel from a script. */
export const SAY = '"$INBOX_PROGRAM" workflow context send --agent "$INBOX_AGENT"'

/** The instances that the store considers running. */
export function running(store: Pick<TestStore, 'sql'>) {
  return store.sql("select instance from instances where state = 'running'")
}

/** A workflow file whose agents are shell scripts. */
export function scripts(agents: Record<string, string>, more = ''): string {
  const lines = Object.entries(agents).map(
    ([name, script]) =>
      `  ${name}:\n    backend: command\n    command: [sh, -c, ${JSON.stringify(script)}]\n`,
  )
  return `agents:\n${lines.join('')}${more}`
}
