// Work that belongs to a call but must not delay its answer. For example, a reply counts as read once it has been
// handed over, not before: if the caller dies in between, the reply is still unread.

export type Afterwards = {
  /** With `anyway`, the work is done even if the caller never took the answer. */
  later: (work: () => Promise<unknown>, when?: 'anyway') => void
  isLeft: () => boolean
  /** Does the remaining work after the answer has been sent. Returns undefined if there is none. */
  afterAnswer: () => Promise<void> | undefined
  /** For an answer that was never taken: does only the work marked `anyway`. */
  drop: () => Promise<void> | undefined
}

export function makeAfterwards(): Afterwards {
  let left: { work: () => Promise<unknown>; when: 'anyway' | undefined }[] = []
  let working: Promise<void> | undefined
  const work = async () => {
    try {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        await next.work()
      }
    } finally {
      working = undefined
    }
  }
  const afterAnswer = () => {
    if (left.length > 0) working ??= work()
    return working
  }
  return {
    later: (work, when) => void left.push({ work, when }),
    isLeft: () => left.length > 0,
    afterAnswer,
    drop() {
      left = left.filter(({ when }) => when === 'anyway')
      return afterAnswer()
    },
  }
}

/** The work that one caller's calls left behind. The caller's next call can wait until it's done. */
export type LaterWork = {
  begin: (work: Promise<void> | undefined) => void
  /** Undefined when nothing is in progress. */
  done: () => Promise<unknown> | undefined
}

export function trackLaterWork(report: (error: unknown) => void): LaterWork {
  const inProgress = new Set<Promise<void>>()
  return {
    begin(work) {
      if (work === undefined) return
      const done = work.catch(report).finally(() => inProgress.delete(done))
      inProgress.add(done)
    },
    done: () => (inProgress.size === 0 ? undefined : Promise.all(inProgress)),
  }
}
