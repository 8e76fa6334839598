// Starts programs: the supervisor of a wake, and an agent's program. Each leads a process group of its own,
// so that it outlives the terminal it was started from and ends with all its children.

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

/** Only the end of standard error is kept: a program says there why it failed. */
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
  // Loaded only here, so that everyday commands do not pay for it.
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
  // A program that no longer reads is not an error: give() then answers false.
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
      if (child.pid === undefined) return
      try {
        process.kill(-child.pid, name)
      } catch {
        // The group is empty already.
      }
      isCut ||= name === 'SIGTERM'
      if (isCut && name === 'SIGKILL' && wake !== undefined) endStrays(wake)
    },
  }
}

/**
 * A group does not end with its parent. So a shell waits at a pipe whose other end only we hold: when we
 * are killed, the kernel closes the pipe and the shell kills the group.
 */
export function guard({ pid }: ChildProcess): () => void {
  const script = 'read -r line || kill -s KILL -- "-$1"'
  const shell = spawnOptions('/bin/sh', ['-c', script, 'sh', String(pid)], {
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without a shell there is no guard, and the turn can do without one.
  shell.on('error', () => {})
  shell.stdin?.on('error', () => {})
  return () => void shell.stdin?.end('over\n')
}

function hasStarted(child: ChildProcess): Promise<void> {
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
  // A child that still holds the stream open would keep us waiting.
  return () => {
    stream?.destroy()
    // The text may begin with half a character, which is decoded as a mark; no engine can store a NUL.
    return new TextDecoder().decode(kept).replaceAll('\0', '\uFFFD').slice(-STDERR_BYTES)
  }
}

// Ends the processes of a turn that have left its process group, as a program does that calls setsid. Linux shows with
// which variables each process was started, and INBOX_WAKE is another in every turn. Other systems do not show it; there
// such a process goes on.

/** A process may start another while we look. */
const LOOKS = 3

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
      // The process is gone, or another user's.
    }
  }
  return ended
}

function processes(): string[] {
  try {
    return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    // This system has no such folder.
    return []
  }
}
