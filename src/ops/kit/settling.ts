// The work that one caller's calls have left, so that its next call can wait until it is done.

export type UnsettledWork = {
  begin: (work: Promise<void> | undefined) => void
  /** Undefined when nothing is under way. */
  done: () => Promise<unknown> | undefined
}

export function makeSettling(report: (error: unknown) => void): UnsettledWork {
  const underWay = new Set<Promise<void>>()
  return {
    begin(work) {
      if (work === undefined) return
      const settled = work.catch(report).finally(() => underWay.delete(settled))
      underWay.add(settled)
    },
    done: () => (underWay.size === 0 ? undefined : Promise.all(underWay)),
  }
}
