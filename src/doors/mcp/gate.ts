// How many calls one visitor may have open at once. A wait is cheap, but not free.

export type Gate = { enter: () => boolean; leave: () => void }

export function makeGate(most: number): Gate {
  let inside = 0
  return {
    enter() {
      if (inside >= most) return false
      inside += 1
      return true
    },
    leave() {
      inside -= 1
    },
  }
}
