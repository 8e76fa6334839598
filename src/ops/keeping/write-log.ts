// Writes an export page by page in log order, and then follows the log if asked to.

import { waitFor } from '../../wake/wait.ts'
import type { Context } from '../kit/operation.ts'

/** A page of the log: the last event it covers, and `write`, which returns how many lines it wrote. */
export type LogPage = { upto: number; write: () => Promise<number> }

export type ExportTotals = { events: number; next_event_id: number }

export async function writeLog(
  { store, bell, signal, progress }: Context,
  { after_event, follow }: { after_event?: number | undefined; follow?: boolean | undefined },
  pageAfter: (cursor: number) => Promise<LogPage | null>,
): Promise<ExportTotals> {
  let cursor = after_event ?? 0
  let events = 0
  const drain = async (): Promise<null> => {
    for (;;) {
      // Read the end before the page: the page may miss events committed in between.
      const end = await store.lastEventId()
      const page = await pageAfter(cursor)
      if (page === null) cursor = Math.max(cursor, end)
      if (page === null || signal.aborted) return null
      events += await page.write()
      cursor = page.upto
      progress?.(`exported ${events} of about ${end} events`)
    }
  }
  if (!follow) await drain()
  else {
    const lookout = store.lookout()
    await waitFor({ bell, look: drain, lookout, chores: [], timeoutMs: 0, signal })
  }
  return { events, next_event_id: cursor }
}
