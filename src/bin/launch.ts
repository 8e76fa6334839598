// Starts programs: the supervisor of a wake, and an agent's program. Each leads a new process group, so that it outlives the
// terminal it was started from and ends together with all its children.

import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import type {
  Program,
  ProgramExit,
  RunningProgram,
  SupervisorTask,
  Surroundings,
} from '../core/waking/launch.ts'
import { AROUND, environment, programEnvironment, TOKEN } from './environment.ts'

/** How many bytes to keep from the end of standard error, where programs say why they failed. */
const STDERR_BYTES = 4096

export async function supervise(
  [command = '', ...words]: readonly string[],
  address: string,
  { what, around }: { what: SupervisorTask; around: Surroundings },
): Promise<void> {
  const isWake = 'wake_id' in what
  const task = isWake
    ? ['wake', 'exec', '--wake', what.wake_id]
    : ['request', 'exec', '--request', what.request_id]
  const token = isWake ? { [TOKEN]: what.token } : {}
  const child = spawnOptions(command, [...words, ...task], {
    argv0: 'inbox',
    env: environment({ INBOX_DB: address, ...token, [AROUND]: JSON.stringify(around) }),
    stdio: 'ignore',
  })
  await hasStarted(child)
  child.unref()
}

type SpawnOptions = {
  argv0?: string
  cwd?: string | undefined
  env: NodeJS.ProcessEnv
  stdio: 'ignore' | ['pipe', 'ignore', 'pipe' | 'ignore']
}

function spawnOptions(command: string, words: string[], options: SpawnOptions): ChildProcess {
  // Loaded only here, so that everyday commands don't pay for it.
  const { spawn } = process.getBuiltinModule('node:child_process')
  return spawn(command, words, { ...options, detached: true, shell: false })
}

export async function startProgram(
  program: Program,
  place: { address: string; around: Surroundings },
): Promise<RunningProgram> {
  const [command = '', ...words] = program.command
  const child = spawnOptions(command, words, {
    cwd: program.cwd,
    env: { ...programEnvironment(place), ...program.env },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const { stdin, stderr } = child
  const ended = new Promise<ProgramExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  let isDeaf = false
  // A program that stops reading isn't an error: give() returns false.
  stdin?.on('error', () => {
    isDeaf = true
  })
  const tail = tailOf(stderr)
  await hasStarted(child)
  const release = guard(child)
  const { INBOX_WAKE: wake } = program.env
  let isCut = false
  return {
    release,
    ended,
    stderr: tail,
    async give(text) {
      if (isDeaf || stdin === null || stdin.destroyed) return false
      const written = new Promise<boolean>((resolve) => {
        stdin.write(text, (error) => resolve(!error))
      })
      return Promise.race([written, ended.then(() => false)])
    },
    giveEnd: () => void stdin?.end(),
    signal(name) {
      signalGroup(child, name)
      isCut ||= name === 'SIGTERM'
      if (isCut && name === 'SIGKILL' && wake !== undefined) endStrays(wake)
    },
  }
}

/**
 * A process group doesn't end with its parent. So a shell waits on a pipe whose other end only we hold: when we're killed,
 * the kernel closes the pipe and the shell kills the group.
 */
export function guard({ pid }: ChildProcess): () => void {
  const script = 'read -r line || kill -s KILL -- "-$1"'
  const shell = spawnOptions('/bin/sh', ['-c', script, 'sh', String(pid)], {
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without a shell there is no guard; the turn continues without it.
  shell.on('error', () => {})
  shell.stdin?.on('error', () => {})
  return () => void shell.stdin?.end('over\n')
}

export function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, name)
  } catch {
    // The group is already empty.
  }
}

export function hasStarted(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(error.code ?? `${error}`)),
    )
  })
}

function tailOf(stream: ChildProcess['stderr']): () => string {
  let kept = Buffer.alloc(0)
  stream?.on('data', (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk])
    if (kept.length > STDERR_BYTES) kept = kept.subarray(kept.length - STDERR_BYTES)
  })
  // Don't wait for a child that still holds the stream open.
  return () => {
    stream?.destroy()
    // The text may begin with half a character, which decodes to U+FFFD. Neither engine can store a NUL.
    return new TextDecoder().decode(kept).replaceAll('\0', '\uFFFD').slice(-STDERR_BYTES)
  }
}

/** How many times to look, because a process may start another one while we look. */
const LOOKS = 3

/**
 * Ends processes of a turn that left its process group, for example with setsid. Linux shows the environment each
 * process was started with, and INBOX_WAKE is different in every turn. On other systems these processes keep running.
 */
export function endStrays(wake: string): void {
  for (let look = 1; look <= LOOKS; look += 1) if (!endOnce(`\0INBOX_WAKE=${wake}\0`)) return
}

function endOnce(sign: string): boolean {
  let ended = false
  for (const name of processes()) {
    try {
      const variables = fs.readFileSync(`/proc/${name}/environ`, 'latin1')
      if (!`\0${variables}`.includes(sign) || Number(name) === process.pid) continue
      process.kill(Number(name), 'SIGKILL')
      ended = true
    } catch {
      // The process is gone or belongs to another user.
    }
  }
  return ended
}

function processes(): string[] {
  try {
    return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    // This system has no /proc.
    return []
  }
}
