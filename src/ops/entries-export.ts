// The entries file: every push a line, in the order of the log; and a line less for each that is deleted.

import { refuse } from '../core/error.ts'
import { waitFor } from '../wake/wait.ts'
import { mustBeInLog } from './cursor.ts'
import { entryJson } from './entry-line.ts'
import type { Context } from './operation.ts'

const PAGE = 500

export async function writeEntries(
  { store, bell, signal, files }: Context,
  { after_event, follow }: { after_event?: number | undefined; follow?: boolean | undefined },
): Promise<{ events: number; next_event_id: number }> {
  if (files === undefined) throw refuse('invalid_input', 'export writes files; use the shell')
  if (after_event !== undefined) await mustBeInLog(store, after_event)
  const admin = await store.admin()
  // What a file has already is not written twice; of what it has too much, it is told as we come by.
  const known = (await files.entries?.known()) ?? new Set<string>()
  let cursor = after_event ?? 0
  let events = 0
  const drain = async (): Promise<null> => {
    for (;;) {
      // Asked before: what is committed after it may be missing from the page.
      const end = await store.lastEventId()
      const page = await admin.entriesPage(cursor, PAGE)
      if (page.length === 0) {
        cursor = Math.max(cursor, end)
        return null
      }
      if (signal.aborted) return null
      const lines: string[] = []
      const gone = new Set<string>()
      for (const entry of page) {
        const { thread_id: id, event_type, deleted_at } = entry
        if (event_type === 'push_delete') gone.add(id)
        else if (deleted_at === null && !known.has(id)) {
          known.add(id)
          lines.push(`${entryJson(entry)}\n`)
        }
      }
      if (lines.length > 0) await files.write(lines.join(''))
      const dropped = new Set([...gone].filter((id) => known.delete(id)))
      if (dropped.size > 0) await files.entries?.drop(dropped)
      events += lines.length
      cursor = page.at(-1)?.event_id ?? cursor
    }
  }
  if (!follow) await drain()
  else {
    const lookout = store.lookout()
    await waitFor({ bell, look: drain, lookout, chores: [], timeoutMs: 0, signal })
  }
  return { events, next_event_id: cursor }
}
