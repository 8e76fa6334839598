// Runs one command of a workflow's setup with `sh -c`. The command leads a new process group, so that everything it started
// ends with it when it's interrupted or this program is killed.

import type { Writable } from 'node:stream'
import type { RunShell, ShellEnd } from '../workflows/setup.ts'
import { environment } from './environment.ts'
import { guard, signalGroup } from './launch.ts'

const STDERR_BYTES = 4096
/** Holds the command back until its guard is ready. If this program dies first, read fails and the shell exits. */
const BEGIN = 'read -r go <&3 || exit 1; exec 3<&-; exec /bin/sh -c "$1"'
/** How long a command may take to end after SIGTERM. */
const GRACE_MS = 2000
/** How long to keep reading output after the command has ended, because a child may hold it open forever. */
const DRAIN_MS = 300

export const runShell: RunShell = async ({ shell, cwd, variables, mostOutputBytes, signal }) => {
  const { spawn } = process.getBuiltinModule('node:child_process')
  const child = spawn('/bin/sh', ['-c', BEGIN, 'sh', shell], {
    cwd,
    env: environment(variables),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
  })
  const out: Buffer[] = []
  let kept = 0
  let cutBytes = 0
  child.stdout?.on('data', (bytes: Buffer) => {
    const room = Math.max(mostOutputBytes - kept, 0)
    if (room > 0) out.push(bytes.subarray(0, room))
    kept += Math.min(bytes.length, room)
    cutBytes += Math.max(bytes.length - room, 0)
  })
  let errors = Buffer.alloc(0)
  child.stderr?.on('data', (bytes: Buffer) => {
    errors = Buffer.concat([errors, bytes]).subarray(-STDERR_BYTES)
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const ended = new Promise<Pick<ShellEnd, 'code'> & { error?: Error }>((resolve) => {
    child.once('error', (error) => resolve({ code: 127, error }))
    child.once('exit', (code) => resolve({ code }))
  })
  const release = child.pid === undefined ? () => {} : guard(child)
  const begin = child.stdio[3] as Writable | undefined
  // If the shell was killed before it read this, the write fails. Ignore that.
  begin?.on('error', () => {})
  begin?.end('go\n')
  let killing: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    signalGroup(child, 'SIGTERM')
    killing = setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_MS)
  }
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  const { code, error } = await ended
  signal.removeEventListener('abort', stop)
  clearTimeout(killing)
  if (signal.aborted) signalGroup(child, 'SIGKILL')
  const drain = setTimeout(() => {
    child.stdout?.destroy()
    child.stderr?.destroy()
  }, DRAIN_MS)
  if (error === undefined) await closed
  clearTimeout(drain)
  release()
  const decode = (bytes: Buffer) => new TextDecoder().decode(bytes)
  return {
    code,
    output: decode(Buffer.concat(out)),
    cutBytes,
    stderr: error === undefined ? decode(errors) : `${error.message} (in ${cwd})`,
  }
}
