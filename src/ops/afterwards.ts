// Work that belongs to a call and must not hold its answer up: a reply counts as read once it was
// handed over, not before. A caller that dies in between finds it unread again.

export type Afterwards = {
  later: (work: () => Promise<unknown>) => void
  /** Does what is left; undefined when nothing is. For when the answer is out, and before the next call. */
  settle: () => Promise<void> | undefined
}

export function makeAfterwards(): Afterwards {
  const left: (() => Promise<unknown>)[] = []
  let settling: Promise<void> | undefined
  const work = async () => {
    try {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await next()
    } finally {
      settling = undefined
    }
  }
  return {
    later: (work) => void left.push(work),
    settle() {
      if (left.length > 0) settling ??= work()
      return settling
    },
  }
}
