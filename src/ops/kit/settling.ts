// What is being settled of one caller's calls, so that its next call finds it done.

export type Settling = {
  begin: (work: Promise<void> | undefined) => void
  /** Undefined when nothing is under way. */
  done: () => Promise<unknown> | undefined
}

export function makeSettling(report: (error: unknown) => void): Settling {
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
