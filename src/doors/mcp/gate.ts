// The calls that one visitor has open, and how to end one early. A wait is cheap, but not free: each takes a place.

export type Gate = {
  /** Refused when too many calls are open already. The call ends when one of the signals does. */
  enter: (request: string | number, signals: readonly AbortSignal[]) => GateEntry
  /** Ends the wait of a call; its answer still goes out. An id that is not open was answered just now. */
  end: (request: string | number) => void
}

export type GateEntry = { signal: AbortSignal; leave: () => void }

export function makeGate(takePlace: () => () => void): Gate {
  const inside = new Set<{ request: string | number; end: () => void }>()
  return {
    enter(request, signals) {
      const giveBack = takePlace()
      const { signal, end, letGo } = followSignals(signals)
      const call = { request, end }
      inside.add(call)
      return {
        signal,
        leave() {
          inside.delete(call)
          letGo()
          giveBack()
        },
      }
    },
    end(request) {
      for (const call of inside) if (call.request === request) call.end()
    },
  }
}

/** Unlike AbortSignal.any, this lets go of signals that live longer than the call. */
function followSignals(signals: readonly AbortSignal[]) {
  const controller = new AbortController()
  const end = () => controller.abort()
  for (const signal of signals) {
    if (signal.aborted) end()
    signal.addEventListener('abort', end)
  }
  const letGo = () => {
    for (const signal of signals) signal.removeEventListener('abort', end)
  }
  return { signal: controller.signal, end, letGo }
}
