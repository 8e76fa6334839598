// Runs a turn's program until it ends, even if it doesn't read its input, floods its output, stops in the middle of a
// character, leaves children behind that hold its output open, or never ends on its own.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { type LineReader, lineReader, tailOf } from './output.ts'

/** How long a program may take to end after SIGTERM; its supervisor kills the group after five seconds. */
const GRACE_MS = 3000
/** How long to keep reading after the program has ended, if children still hold its output open. */
const DRAIN_MS = 300
const STDERR_LETTERS = 4000

export type ProgramTask = {
  command: readonly string[]
  cwd: string
  env: Record<string, string>
  input: string
  signal: AbortSignal
  /** Called for each line of standard output. `isCut` is true if the line was too long and was cut off. */
  onLine: (line: string, isCut: boolean) => void
  onError?: (line: string) => void
  graceMs?: number
}

export type ProgramEnd = {
  exit: number | null
  /** Why the program failed; undefined if it succeeded. */
  why: string | undefined
  stderr: string
}

export async function runProgram(task: ProgramTask): Promise<ProgramEnd> {
  const { command, cwd, env, signal } = task
  const [program = '', ...words] = command
  if (signal.aborted) return { exit: null, why: STOPPED, stderr: '' }
  let child: ChildProcessWithoutNullStreams
  try {
    child = spawn(program, words, { cwd, env, stdio: 'pipe', shell: false, detached: false })
  } catch (error) {
    // Arguments that are too long or contain a NUL are rejected before the program starts.
    return { exit: null, why: explainStart(error as Error, program, cwd), stderr: '' }
  }
  // Ignore write errors, because the program doesn't have to read its input.
  child.stdin.on('error', () => {})
  const errors = tailOf(STDERR_LETTERS)
  const out = readLines(child.stdout, task.onLine)
  const err = readLines(child.stderr, (line) => {
    errors.add(`${line}\n`)
    task.onError?.(line)
  })
  const ended = new Promise<ExitFacts>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve({ error }))
    child.once('exit', (code, by) => resolve({ code, by }))
  })
  child.stdin.end(task.input)
  let killing: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    child.kill('SIGTERM')
    killing = setTimeout(() => child.kill('SIGKILL'), task.graceMs ?? GRACE_MS)
  }
  signal.addEventListener('abort', stop, { once: true })
  const end = await ended
  signal.removeEventListener('abort', stop)
  clearTimeout(killing)
  child.stdin.destroy()
  await Promise.all([out.drained(), err.drained()])
  const exit = 'code' in end ? end.code : null
  return { exit, why: explain(end, signal.aborted, command, cwd), stderr: errors.text() }
}

type ExitFacts =
  | { code: number | null; by: NodeJS.Signals | null }
  | { error: NodeJS.ErrnoException }

const STOPPED = 'it was ended from outside'

function explain(
  end: ExitFacts,
  isStopped: boolean,
  [program = '']: readonly string[],
  cwd: string,
): string | undefined {
  if ('error' in end) return explainStart(end.error, program, cwd)
  if (isStopped) return STOPPED
  if (end.by !== null) return `it was ended by ${end.by}`
  return end.code === 0 ? undefined : `it ended with exit code ${end.code}`
}

function explainStart(error: NodeJS.ErrnoException, program: string, cwd: string): string {
  const name = JSON.stringify(program)
  if (!existsSync(cwd)) return `${name} cannot be started: there is no folder ${cwd}; make it`
  const { code = error.message } = error
  const remedy = REMEDIES[code]
  return `${name} cannot be started in ${cwd}: ${code}${remedy === undefined ? '' : `; ${remedy}`}`
}

const REMEDIES: Record<string, string> = {
  ENOENT: 'install it, or put it on the PATH',
  EACCES: 'make it executable (chmod +x)',
  ENOEXEC: 'begin it with #! and what runs it',
  E2BIG: 'its arguments are too long; shorten the system prompt',
}

function readLines(stream: Readable, onLine: (line: string, isCut: boolean) => void) {
  const reader: LineReader = lineReader(onLine)
  stream.on('data', (bytes: Buffer) => reader.add(bytes))
  stream.on('error', () => {})
  const closed = new Promise<void>((resolve) => stream.once('close', resolve))
  return {
    /** Resolves when all output has been read, or when it's time to stop waiting for more. */
    async drained() {
      const timer = setTimeout(() => stream.destroy(), DRAIN_MS)
      await closed
      clearTimeout(timer)
      reader.end()
    },
  }
}
