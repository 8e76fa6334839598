// Runs the built program as users do, without this process's environment, and checks its output as a user sees it.

import { expect } from 'bun:test'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { shellIo } from '../../src/bin/shell.ts'
import type { Code } from '../../src/core/error.ts'
import { runCli } from '../../src/doors/cli/run.ts'
import { HOME } from '../worlds/home.ts'
import { PROGRAM } from '../worlds/program.ts'

export type Ran = { exit: number | null; signal: string | null; stdout: string; stderr: string }

export type RunInbox = {
  folder?: string
  env?: Record<string, string>
  stdin?: string | Uint8Array
  /** Another user to run as, because root bypasses permissions. That user may need its own copy of the program. */
  uid?: number | undefined
  program?: string
  /** A command to run the program under, such as a shell that sets limits first. */
  under?: string[]
}

export type RunningInbox = {
  child: ChildProcess
  pid: number
  /** The program's output so far. */
  stdout: () => string
  stderr: () => string
  ended: Promise<Ran>
}

export function startInbox(args: string[], options: RunInbox = {}): RunningInbox {
  const { folder = '/', env = {}, stdin, uid, under = [], program = PROGRAM } = options
  const [command = '', ...rest] = [...under, program, ...args]
  const child = spawn(command, rest, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME, ...env },
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  // The program can refuse before it has read all its input.
  child.stdin?.on('error', () => {})
  child.stdin?.end(stdin)
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk))
  const stdout = () => Buffer.concat(out).toString('utf8')
  const stderr = () => Buffer.concat(err).toString('utf8')
  const ended = once(child, 'close').then(
    ([exit, signal]): Ran => ({ exit, signal, stdout: stdout(), stderr: stderr() }),
  )
  return { child, pid: child.pid ?? 0, stdout, stderr, ended }
}

export function runInbox(args: string[], options?: RunInbox): Promise<Ran> {
  return startInbox(args, options).ended
}

const NO_TERMINAL = { isTty: false, columns: 100, rows: 24, colour: false }

/**
 * Runs the same arguments through the same door in this process, at a thousandth of the cost. Only for calls that are
 * refused before a store is opened. Make one call at a time, because the working folder is the process's.
 */
export async function callInbox(args: string[], folder: string): Promise<Ran> {
  let stdout = ''
  let stderr = ''
  const back = process.cwd()
  process.chdir(folder)
  try {
    const exit = await runCli({
      ...shellIo('inbox', args),
      env: { db: undefined, agent: undefined, debug: false },
      terminal: () => NO_TERMINAL,
      isWatched: () => false,
      canAsk: () => false,
      out(text) {
        stdout += text
        return true
      },
      err(text) {
        stderr += text
      },
    })
    return { exit, signal: null, stdout, stderr }
  } finally {
    process.chdir(back)
  }
}

/** Checks the form of every refusal: its exit code, one clear line on stderr, no stdout. */
export function expectRefusal(ran: Ran, want: { exit: number; says: RegExp | string }): void {
  expect({ exit: ran.exit, signal: ran.signal, stdout: ran.stdout }).toEqual({
    exit: want.exit,
    signal: null,
    stdout: '',
  })
  expect(ran.stderr).toMatch(/^inbox: [^\n]+\n$/)
  expect(ran.stderr).toMatch(want.says)
  // A stack trace or an internal error is not a clear line, however short.
  expect(ran.stderr).not.toMatch(/something went wrong inside|^\s+at |\bError:/m)
}

/** The same with --json: the refusal on stdout, no stderr. */
export function expectJsonRefusal(
  ran: Ran,
  want: { exit: number; code: Code; says: RegExp | string },
): void {
  expect({ exit: ran.exit, signal: ran.signal, stderr: ran.stderr }).toEqual({
    exit: want.exit,
    signal: null,
    stderr: '',
  })
  expect(ran.stdout).toMatch(/^[^\n]+\n$/)
  const { ok, error } = JSON.parse(ran.stdout)
  expect({ ok, code: error.code }).toEqual({ ok: false, code: want.code })
  expect(error.message).toMatch(want.says)
}
