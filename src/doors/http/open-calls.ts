// Tracks open calls so that a stopping server can let them finish, and interrupts waits, which would take too long.

import type { Principal } from '../../core/principal.ts'
import type { ServedStore } from './http-server.ts'

export type OpenCalls = {
  isStopping: () => boolean
  /** Aborts when the server stops, which ends waits immediately. */
  stopping: AbortSignal
  begin: () => () => void
  /**
   * A signal for one call: it aborts when the caller leaves, when `over` aborts, or when the server stops.
   * `end` removes its listeners.
   */
  signalFor: (request: Request, over?: AbortSignal) => { signal: AbortSignal; end: () => void }
  /** Tracks work that's done after a response has been sent. */
  afterwards: (work: Promise<unknown>) => void
  waiting: () => number
  /** Streams last until their reader leaves or the server stops. */
  streams: Set<{ end: (why: 'ended') => void }>
  /** Interrupts the waits. Resolves when every call has finished or the grace period is over. */
  stop: (graceMs: number) => Promise<void>
}

export function trackOpenCalls(): OpenCalls {
  const calls = new Set<() => void>()
  const waits = new Set<AbortController>()
  const left = new Set<Promise<unknown>>()
  const streams: OpenCalls['streams'] = new Set()
  const stopping = new AbortController()
  let onQuiet = () => {}

  return {
    stopping: stopping.signal,
    isStopping: () => stopping.signal.aborted,
    waiting: () => waits.size,
    streams,
    begin() {
      const end = () => {
        calls.delete(end)
        if (calls.size === 0) onQuiet()
      }
      calls.add(end)
      return end
    },
    signalFor({ signal: gone }, over) {
      const controller = new AbortController()
      const abort = () => controller.abort()
      if (gone.aborted || over?.aborted || stopping.signal.aborted) abort()
      gone.addEventListener('abort', abort)
      over?.addEventListener('abort', abort)
      waits.add(controller)
      return {
        signal: controller.signal,
        end() {
          gone.removeEventListener('abort', abort)
          over?.removeEventListener('abort', abort)
          waits.delete(controller)
        },
      }
    },
    afterwards(work) {
      left.add(work)
      work.finally(() => left.delete(work)).catch(() => {})
    },
    async stop(graceMs) {
      stopping.abort()
      for (const controller of waits) controller.abort()
      for (const stream of [...streams]) stream.end('ended')
      const quiet = new Promise<void>((resolve) => {
        onQuiet = resolve
        if (calls.size === 0) resolve()
      })
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs)
      })
      await Promise.race([quiet.then(() => Promise.allSettled(left)), late])
      clearTimeout(timer)
    },
  }
}

/** A signal that aborts when the caller's token is revoked or expires. `end` removes its listener. */
export async function abortWhenRevoked(
  { tail }: ServedStore,
  principal: Principal,
): Promise<{ signal: AbortSignal; end: () => void }> {
  const controller = new AbortController()
  const end = await tail.whileGood(principal, () => controller.abort())
  return { signal: controller.signal, end }
}
