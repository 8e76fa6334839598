// The days of a long list are counted in parts, so that no question costs more on a long desk than on a short one. Events
// change the first part, which is counted again each time down to the same place. The parts below it are counted once: a
// count there that is no longer right becomes right when its rows are brought.

import type { DeskAsk, DeskDays } from './desk-ask.ts'
import { type DeskPiece, piecesOf } from './desk-pieces.ts'

/** The most that one question counts. */
const PART = 5000

export function makeCount(ask: DeskAsk['days'], signal: AbortSignal) {
  /** Where the first part ends, once a desk is longer than it. */
  let floor: number | null = null
  let below: readonly DeskPiece[] = []
  let rest: Promise<void> | undefined
  let round = 0

  async function countBelow(from: number): Promise<void> {
    const now = round
    const found: DeskPiece[] = []
    for (let before: number | null = from; before !== null; ) {
      const part: DeskDays | null = await ask({ before, limit: PART }, signal)
      if (part === null || now !== round || signal.aborted) return
      found.push(...piecesOf(part.days))
      before = part.next_before
    }
    below = found
  }
  return {
    /** The first part, or nothing for a list that nobody counts. */
    async top(): Promise<DeskDays | null> {
      const days = await ask(floor === null ? {} : { after: floor - 1, limit: PART }, signal)
      if (days !== null && days.next_before !== null) {
        floor = days.next_before
        below = []
        rest = undefined
        round += 1
      }
      return days
    },
    below: () => below,
    /** Counts what is below the first part; the same count for all who ask. */
    rest(): Promise<void> {
      if (floor === null) return Promise.resolve()
      rest ??= countBelow(floor).catch((error) => {
        rest = undefined
        throw error
      })
      return rest
    },
  }
}
