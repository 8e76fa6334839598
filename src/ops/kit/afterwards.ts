// Work that belongs to a call and must not delay its answer: a reply counts as read once it was handed
// over, not before. A caller that dies in between finds it unread again.

export type Afterwards = {
  /** With `anyway`, the work is done even if nobody took the answer. */
  later: (work: () => Promise<unknown>, when?: 'anyway') => void
  isLeft: () => boolean
  /** Does what is left once the answer is out; undefined when nothing is. */
  settle: () => Promise<void> | undefined
  /** Called when nobody took the answer: does only the work marked `anyway`. */
  drop: () => Promise<void> | undefined
}

export function makeAfterwards(): Afterwards {
  let left: { work: () => Promise<unknown>; when: 'anyway' | undefined }[] = []
  let settling: Promise<void> | undefined
  const work = async () => {
    try {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        await next.work()
      }
    } finally {
      settling = undefined
    }
  }
  const settle = () => {
    if (left.length > 0) settling ??= work()
    return settling
  }
  return {
    later: (work, when) => void left.push({ work, when }),
    isLeft: () => left.length > 0,
    settle,
    drop() {
      left = left.filter(({ when }) => when === 'anyway')
      return settle()
    },
  }
}
