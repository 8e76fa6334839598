// The desk as a person would describe it, without a store: which threads are on it, in which order, and which are away.

export type DeskStep =
  | { op: 'ask' }
  | { op: 'say' | 'read' | 'unread' | 'back'; n: number }
  /** Null puts the thread away. */
  | { op: 'snooze'; n: number; seconds: number | null }

type Said = { isRead: boolean; at: number }
type Away = { until: number | null; upto: number; kept: Said | null; isSeen: boolean }
type DeskThread = { said: Said[]; place: number; away: Away | null }

export type DeskStanding = {
  rows: { n: number; unread: number; woken: boolean }[]
  away: { n: number; until: number | null }[]
  unread: number
}

export class DeskModel {
  threads: DeskThread[] = []
  #now = 0
  #place = 0

  /** Returns whether the step changed the desk. A new question or message always does. */
  take(step: DeskStep, waitMs: number): boolean {
    this.#now += waitMs
    if (step.op === 'ask') {
      this.threads.push({ said: [this.#words()], place: ++this.#place, away: null })
      return true
    }
    const thread = this.threads[step.n]
    if (thread === undefined) throw new Error('no such thread')
    const changed = this.#act(thread, step)
    const { away } = thread
    // Once it has been read after its snooze ended, it's like any other thread.
    if (changed && away !== null && this.#isOver(thread, away) && unreadIn(thread) === 0) {
      away.isSeen = true
    }
    return changed
  }

  #act(thread: DeskThread, step: Exclude<DeskStep, { op: 'ask' }>): boolean {
    const last = thread.said.at(-1) as Said
    switch (step.op) {
      case 'say':
        thread.said.push(this.#words())
        thread.place = ++this.#place
        return true
      case 'read': {
        const isBack = this.#isBack(thread)
        const changed = unreadIn(thread) > 0 || isBack
        if (isBack && unreadIn(thread) === 0) thread.away = null
        for (const one of thread.said) one.isRead = true
        return changed
      }
      case 'unread':
        if (unreadIn(thread) > 0) return false
        last.isRead = false
        return true
      case 'back': {
        const { away } = thread
        if (away === null || !this.#isAway(thread)) return false
        if (away.kept !== null) away.kept.isRead = true
        thread.away = null
        return true
      }
      default:
        return this.#snooze(thread, step.seconds)
    }
  }

  #snooze(thread: DeskThread, seconds: number | null): boolean {
    const until = seconds === null ? null : this.#now + seconds * 1000
    const isAway = this.#isAway(thread)
    if (isAway && thread.away?.until === until) return false
    const isRead = unreadIn(thread) === 0
    const last = thread.said.at(-1) as Said
    const keeps = until !== null && isRead
    const kept = keeps ? last : isAway && !isRead ? (thread.away?.kept ?? null) : null
    if (keeps) last.isRead = false
    thread.away = { until, upto: thread.said.length, kept, isSeen: false }
    return true
  }

  standing(): DeskStanding {
    const all = this.threads.map((thread, n) => ({ thread, n }))
    const byPlace = (a: { thread: DeskThread }, b: { thread: DeskThread }) =>
      b.thread.place - a.thread.place
    const away = all.filter(({ thread }) => this.#isAway(thread)).sort(byPlace)
    const here = all.filter(({ thread }) => !this.#isAway(thread)).sort(byPlace)
    const back = here.filter(({ thread }) => this.#isBack(thread))
    const rows = [...back, ...here.filter((one) => !back.includes(one))]
    return {
      rows: rows.map(({ thread, n }) => ({
        n,
        unread: unreadIn(thread),
        woken: this.#isBack(thread) || this.#isWoken(thread),
      })),
      away: away.map(({ thread, n }) => ({ n, until: thread.away?.until ?? null })),
      unread: here.filter(({ thread }) => unreadIn(thread) > 0).length,
    }
  }

  /** Whether newer messages are unread, or the snooze has ended and an older message is unread. */
  #isWoken({ said, away }: DeskThread): boolean {
    const first = away === null ? undefined : said[away.upto]
    if (away === null || away.isSeen || first === undefined) return false
    if (away.until === null || first.at < away.until) return !first.isRead
    return said.slice(0, away.upto).some(({ isRead }) => !isRead)
  }

  #isAway({ said, away }: DeskThread): boolean {
    if (away === null || said.length > away.upto) return false
    return away.until === null || away.until > this.#now
  }

  #isBack(thread: DeskThread): boolean {
    const { away } = thread
    return away !== null && !away.isSeen && this.#isOver(thread, away)
  }

  #isOver({ said }: DeskThread, away: Away): boolean {
    return said.length <= away.upto && away.until !== null && away.until <= this.#now
  }

  #words(): Said {
    return { isRead: false, at: this.#now }
  }
}

function unreadIn({ said }: DeskThread): number {
  return said.filter(({ isRead }) => !isRead).length
}
