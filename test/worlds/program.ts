// Runs the built program as a process: the same file users get, never the source.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Code } from '../../src/index.ts'
import { HOME } from './home.ts'
import { Refused } from './refused.ts'

export const PROGRAM = join(import.meta.dir, '../../dist/inbox')

export type Run = { exit: number; stdout: string; stderr: string }

export type RunOptions = {
  folder: string
  /** The value of INBOX_AGENT. */
  agent?: string | undefined
  stdin?: string | undefined
  /** Additional environment variables. */
  env?: Record<string, string>
  /** Ends the program with SIGTERM. */
  signal?: AbortSignal | undefined
}

export async function runProgram(args: string[], options: RunOptions): Promise<Run> {
  if (!existsSync(PROGRAM)) throw new Error('dist/inbox is not built: run `npm run build`')
  const { folder, agent, stdin, signal, env = {} } = options
  const child = Bun.spawn([PROGRAM, ...args], {
    cwd: folder,
    // The environment of the test run must not affect a test.
    env: {
      PATH: process.env.PATH,
      HOME,
      INBOX_DEBUG: '1',
      ...(agent === undefined ? {} : { INBOX_AGENT: agent }),
      ...env,
    },
    stdin: stdin === undefined ? 'ignore' : new Blob([stdin]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const end = () => child.kill('SIGTERM')
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  try {
    const [stdout, stderr, exit] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { exit, stdout, stderr }
  } finally {
    signal?.removeEventListener('abort', end)
  }
}

/** The only output allowed on stderr when all is well. */
export const ANNOUNCEMENT = /^inbox: made a new store at (.+)\n$/

type Said =
  | { ok: true; command: string }
  | { ok: false; error: { code: Code; message: string } & Record<string, unknown> }

/**
 * Returns the answer of a run with --json, or throws its refusal. Checks in every test of every behavior that stdout
 * has one line of JSON, stderr is empty, and the command and the exit code are right.
 */
export function answerOf(command: string, { exit, stdout, stderr }: Run): object {
  const what = `inbox ${command}: exit ${exit}\n${stdout}${stderr}`
  if (stderr.replace(ANNOUNCEMENT, '') !== '') throw new Error(`text on stderr: ${what}`)
  if (!/^[^\n]+\n$/.test(stdout)) throw new Error(`stdout is not one line: ${what}`)
  const said = JSON.parse(stdout) as Said
  if (!said.ok) {
    const { code, message, ...details } = said.error
    if (Object.keys(said).length !== 2) throw new Error(`unexpected keys in a refusal: ${what}`)
    throw new Refused(code, exit, message, details)
  }
  const { ok: _, command: named, ...answer } = said
  if (named !== command) throw new Error(`the answer names another command: ${what}`)
  return answer
}
