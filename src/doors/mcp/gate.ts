// The calls one visitor has open, and a way to end one early. Waits are cheap but not free, so each takes a place.

export type Gate = {
  /** Throws if too many calls are open. The call ends when one of the signals aborts. */
  enter: (request: string | number, signals: readonly AbortSignal[]) => GateEntry
  /** Ends the wait of a call; its answer still goes out. An unknown id was just answered. */
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

/** Unlike AbortSignal.any, releases signals that live longer than the call. */
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
