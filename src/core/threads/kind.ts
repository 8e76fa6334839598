// A kind of thread, as its subject declares it. src/core/kinds.ts lists the kinds; whoever needs to know something
// about the threads of a kind looks there.

/** `Status` and `Move` are all the statuses a thread of the kind can have, and all that can happen to it. */
export type Kind<Status extends string, Move extends string> = {
  /** For every status the moves that are legal, and the status that each leads to. */
  moves: Record<Status, Partial<Record<Move, Status>>>
  /** The status of a thread that begins. */
  first: Status
  /** Whether agents take leases on its threads, to work on them. */
  leased: boolean
}
