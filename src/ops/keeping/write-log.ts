// Writes an export in the order of the log, page by page to its end, and then follows the log if asked to.

import { waitFor } from '../../wake/wait.ts'
import type { Context } from '../kit/operation.ts'

/** The next page of the log: up to which event it goes, and how many lines it wrote. Null at the end. */
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
      // The end is read before the page: an event that is committed after it may be missing from the page.
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
