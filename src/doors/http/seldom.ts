// What somebody outside can make happen as often as it likes, kept to so many times a second.

export type Seldom = {
  /** Whether this one is among the first of its second. */
  count: () => boolean
  /** How many were too many since this was last asked. */
  leftOut: () => number
}

export function seldom(most: number, now: () => number = () => performance.now()): Seldom {
  let second = -1
  let counted = 0
  let over = 0
  return {
    count() {
      const current = Math.floor(now() / 1000)
      if (current !== second) counted = 0
      second = current
      counted += 1
      if (counted > most) over += 1
      return counted <= most
    },
    leftOut() {
      const many = over
      over = 0
      return many
    },
  }
}
