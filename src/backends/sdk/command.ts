// Runs a program for a model from a list of arguments. There's no shell, so no character has a special meaning; a model
// that wants a shell can name one. The program stays in its turn's process group: one that takes too long is ended
// here, and everything it started ends with the turn at the latest.

import { spawn } from 'node:child_process'
import { quote } from '../../core/error.ts'

export type CommandWish = {
  command: readonly string[]
  cwd: string
  env: Record<string, string>
  seconds: number
  signal: AbortSignal
}

/** How much of a program's output is kept: half from the beginning, half from the end. */
const MOST_SHOWN = 30_000
/** How long a program may take to end before it's killed. */
const GRACE_MS = 2000

export function runCommand({ command, cwd, env, seconds, signal }: CommandWish): Promise<string> {
  const [program = '', ...args] = command
  return new Promise((done) => {
    const written = makeEnds()
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let why = ''
    let force: ReturnType<typeof setTimeout> | undefined
    const end = (reason: string) => {
      why ||= reason
      child.kill('SIGTERM')
      force ??= setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
    }
    const onAbort = () => end('the turn ended')
    const late = setTimeout(() => end(`it took longer than ${seconds} seconds`), seconds * 1000)
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    const over = (how: string) => {
      clearTimeout(late)
      clearTimeout(force)
      signal.removeEventListener('abort', onAbort)
      child.stdout.destroy()
      child.stderr.destroy()
      done(`${how}${why === '' ? '' : ` (ended: ${why})`}\n${written.text()}`)
    }
    child.stdout.on('data', written.add)
    child.stderr.on('data', written.add)
    child.once('error', (error: NodeJS.ErrnoException) => {
      over(`${quote(program)} cannot be started: ${error.code ?? error.message}`)
    })
    const ended = (code: number | null, by: string | null) => over(`exit ${code ?? by}`)
    // A child of the program may hold its output open; don't wait long for it.
    child.once('exit', (code, by) => {
      const patience = setTimeout(() => ended(code, by), why === '' ? GRACE_MS : 0)
      child.once('close', () => {
        clearTimeout(patience)
        ended(code, by)
      })
    })
  })
}

/** Keeps the beginning and the end of output of any length. */
function makeEnds() {
  const half = MOST_SHOWN / 2
  const decoder = new TextDecoder()
  let head = ''
  let tail = ''
  let length = 0
  return {
    add(bytes: Uint8Array) {
      const text = decoder.decode(bytes, { stream: true })
      length += text.length
      const room = Math.max(0, half - head.length)
      head += text.slice(0, room)
      tail = (tail + text.slice(room)).slice(-half)
    },
    text() {
      const left = length - head.length - tail.length
      return left > 0 ? `${head}\n[${left} characters left out]\n${tail}` : head + tail
    },
  }
}
