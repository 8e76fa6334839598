// Every row that the filters find, page by page: a choice of all reaches further than what is shown.

import type { DeskAnswer, DeskAsk, ListedRow } from './desk-ask.ts'

/** All that the filter finds, up to so many. */
export async function everyRow(
  ask: DeskAsk,
  most: number,
  signal: AbortSignal,
): Promise<ListedRow[]> {
  const found: ListedRow[] = []
  let before: number | null = null
  while (found.length < most) {
    const limit = Math.min(500, most - found.length)
    const page: DeskAnswer = await ask.page({ before, limit }, signal)
    found.push(...page.rows)
    before = page.next_before
    if (before === null) break
  }
  return found
}
