// One way in: a port or a socket, and what listens there. It serves callers, or it turns each of them away at
// once. One takes the place of the other in one step, so that the place is nobody else's in between, and calls
// under way go on to their end.

import type { Site } from '../doors/http/site.ts'

/** The part that the runtime's servers and its bare listeners have in common. */
type BoundPlace = { stop(atOnce?: boolean): Promise<void> | void }

export type EntranceState = 'serving' | 'full'

export type Entrance = {
  /** Says whether it worked; if not, it may be tried again. */
  become: (state: EntranceState) => boolean
  /** Listens again at a place that was taken away, once it is prepared. Says whether it does. */
  again: (prepare: () => Promise<unknown>) => Promise<boolean>
  /** Takes no new calls, for good. A socket's path goes with it. */
  shut: () => void
  /** The same, and ends the calls under way. */
  end: () => Promise<void>
}

export function makeEntrance(
  first: BoundPlace,
  ways: Record<EntranceState, () => BoundPlace>,
  log: Site['log'],
): Entrance {
  let state: EntranceState = 'serving'
  let listening: BoundPlace | undefined = first
  /** Listeners that take no new calls and may still have some under way. */
  const leaving = new Map<BoundPlace, Promise<void>>()
  let isShut = false
  const leave = () => {
    const old = listening
    listening = undefined
    if (old === undefined) return
    const left = Promise.resolve(old.stop()).finally(() => leaving.delete(old))
    leaving.set(old, left)
  }
  const shut = () => {
    isShut = true
    leave()
  }
  return {
    become(next) {
      if (isShut || (next === state && listening !== undefined)) return true
      const isSecondTry = next === state
      state = next
      leave()
      try {
        listening = ways[state]()
      } catch (error) {
        const why = (error as Error).message
        if (!isSecondTry) log({ level: 'error', what: 'listening', is: state, why })
      }
      return listening !== undefined
    },
    async again(prepare) {
      // The old one leaves first, because it removes its path when it stops.
      leave()
      await prepare()
      if (isShut) return false
      listening = ways[state]()
      return true
    },
    shut,
    async end() {
      shut()
      const all = [...leaving]
      for (const [old] of all) await old.stop(true)
      await Promise.all(all.map(([, left]) => left))
    },
  }
}
