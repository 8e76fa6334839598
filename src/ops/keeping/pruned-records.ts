import { RECORDS } from '../../core/records.ts'
import type { PruneTotals } from '../../core/store.ts'

/** The records of which something was pruned, each with its words and how many rows went. */
export function prunedRecords(removed: PruneTotals): { one: string; table: string; n: number }[] {
  const counts: Record<string, unknown> = removed
  return RECORDS.all
    .map(({ one, table }) => ({ one, table, n: Number(counts[table] ?? 0) }))
    .filter(({ n }) => n > 0)
}
