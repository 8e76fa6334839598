// Rows that the person has put away, taken back or marked, until the server's list agrees.

import type { ListedRow } from './desk-ask.ts'

type MovedRow = { row: ListedRow; settled: number }

export function makeMoves(rows: ReadonlyMap<string, ListedRow>) {
  const removed = new Map<string, MovedRow>()
  const returning = new Map<string, MovedRow>()
  const marked = new Map<string, MovedRow>()
  const begun = (row: ListedRow): MovedRow => ({ row, settled: Number.POSITIVE_INFINITY })
  return {
    /** Rows that stand elsewhere, or that the person has just put away. */
    hidden: (needs: readonly ListedRow[]): ReadonlyMap<string, ListedRow> =>
      new Map([
        ...needs.map((row) => [row.thread_id, row] as const),
        ...[...removed].map(([id, { row }]) => [id, row] as const),
      ]),
    returning: (): ListedRow[] => [...returning.values()].map(({ row }) => row),
    /** A row as an answer has it that was asked for then, with the mark that the server had not taken by that time. */
    asMarked(row: ListedRow, asked: number): ListedRow {
      const mark = marked.get(row.thread_id)
      // Newer words are not marked.
      const isOld = mark !== undefined && asked < mark.settled && row.event_id === mark.row.event_id
      return isOld ? { ...row, unread: mark.row.unread } : row
    },
    /** Gives back what is called when the server has these marks; of a row that is marked again, the later counts. */
    mark(changed: readonly ListedRow[]): () => void {
      const marks = changed.map(begun)
      for (const mark of marks) marked.set(mark.row.thread_id, mark)
      return () => {
        for (const mark of marks) mark.settled = Date.now()
      }
    },
    isRemoved: (id: string): boolean => removed.has(id),
    remove(ids: readonly string[]): void {
      for (const id of ids) {
        const row = rows.get(id)
        if (row !== undefined) removed.set(id, begun(row))
        returning.delete(id)
      }
    },
    bringBack(ids: readonly string[]): void {
      for (const id of ids) {
        const row = removed.get(id)?.row ?? rows.get(id)
        if (row !== undefined) returning.set(id, begun(row))
        removed.delete(id)
      }
    },
    /** The server has put them away, or has them back. */
    settle(ids: readonly string[]): void {
      for (const under of [removed, returning]) {
        for (const id of ids) {
          const one = under.get(id)
          if (one !== undefined) under.set(id, { ...one, settled: Date.now() })
        }
      }
    },
    /** A list that was asked for then shows what was settled before. */
    agree(asked: number): void {
      for (const under of [removed, returning]) {
        for (const [id, { settled }] of under) if (settled <= asked) under.delete(id)
      }
    },
  }
}
