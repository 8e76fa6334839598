// Keeps a server that runs out of file descriptors from spinning, and from failing in the middle of calls.
// The runtime accepts every incoming connection. If no descriptor is left, it retries immediately, forever.
// (1) The server therefore holds some descriptors in reserve and regularly checks whether another one is available.
// (2) If none is, it releases the reserve for the calls under way, and rejects new callers until enough connections
//     have ended.

import fs from 'node:fs'
import { refuse } from '../core/error.ts'
import type { HttpServer } from '../doors/http/http-server.ts'
import type { ListenerState, ServerListener } from './server-listen.ts'

/** Enough to reopen a store, open a document, and start a program with its pipes. */
const HELD_BACK = 12
/** A server resumes once it can hold this many descriptors: the reserve, and the same number for connections. */
const ENOUGH = 2 * HELD_BACK
/** How often to check, and therefore the longest the runtime can spin. */
const LOOK_MS = 250

export function watchDescriptors(
  listeners: readonly ServerListener[],
  log: HttpServer['log'],
): () => void {
  let held = hold(ENOUGH)
  mustBeEnough(held)
  letGo(held.splice(HELD_BACK))
  let fullSince: number | undefined
  const look = () => {
    if (fullSince === undefined && !isOneLeft()) {
      fullSince = performance.now()
      letGo(held.splice(0))
      become('full')
      log({ level: 'error', what: 'descriptors', is: 'out', why: OUT })
    } else if (fullSince !== undefined) {
      held = hold(ENOUGH)
      const isBack = held.length === ENOUGH && become('serving')
      letGo(held.splice(isBack ? HELD_BACK : 0))
      if (!isBack) return
      const seconds = Math.round((performance.now() - fullSince) / 1000)
      fullSince = undefined
      log({ level: 'warn', what: 'descriptors', is: 'back', seconds })
    }
  }
  const become = (state: ListenerState) =>
    listeners.map((listener) => listener.switchTo(state)).every((worked) => worked)
  const timer = setInterval(look, LOOK_MS)
  return () => {
    clearInterval(timer)
    letGo(held.splice(0))
  }
}

const OUT =
  'the limit on open files and connections is reached, so new callers are turned away until some are closed; raise the limit (ulimit -n)'

function mustBeEnough({ length }: number[]): void {
  if (length === ENOUGH) return
  throw refuse.invalid_state`only ${length} more files may be open here, and a server needs at least ${ENOUGH}; raise the limit (ulimit -n)`
}

function isOneLeft(): boolean {
  const some = hold(1)
  letGo(some)
  return some.length === 1
}

function hold(count: number): number[] {
  const held: number[] = []
  try {
    while (held.length < count) held.push(fs.openSync('/dev/null', 'r'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EMFILE' && code !== 'ENFILE') throw error
  }
  return held
}

function letGo(held: number[]): void {
  for (const fd of held) fs.closeSync(fd)
}
