// The desk as the page shows it.

import type { ListedRow } from './desk-ask.ts'
import type { DeskPiece } from './desk-pieces.ts'

export type DeskState = {
  isReady: boolean
  error: Error | null
  pieces: readonly DeskPiece[]
  /** The rows that are known. It is the same map after a change; a row that changed is another object. */
  rows: ReadonlyMap<string, ListedRow>
  needs: readonly ListedRow[]
  /** Rows that stand elsewhere, or that the person has just put away. */
  hidden: ReadonlyMap<string, ListedRow>
  unread: number
  /** How many rows have come above what is shown. */
  news: number
  /** A list that nobody has counted goes on: it is being read further down, or could be. */
  isSearching: boolean
  hasMore: boolean
}

/** Before anything has come. */
export const FIRST_STATE: Omit<DeskState, 'rows'> = {
  ...{ isReady: false, error: null, pieces: [], needs: [], hidden: new Map() },
  ...{ unread: 0, news: 0, isSearching: false, hasMore: false },
}
