// The entries file: a line for every push, in the order of the log, and a line less for each that is
// deleted.

import { mustBeInLog } from '../kit/cursor.ts'
import type { Files } from '../kit/files.ts'
import type { Context } from '../kit/operation.ts'
import { entryJson } from './entry-line.ts'
import { type ExportTotals, writeLog } from './write-log.ts'

const PAGE = 500

export async function writeEntries(
  context: Context,
  files: Files,
  want: { after_event?: number | undefined; follow?: boolean | undefined },
): Promise<ExportTotals> {
  const { store } = context
  if (want.after_event !== undefined) await mustBeInLog(store, want.after_event)
  const keeper = await store.keeper()
  // A push that the file has is not written twice. Drops a deleted push's line when the log reaches its
  // deletion.
  const known = (await files.entries?.known()) ?? new Set<string>()
  return writeLog(context, want, async (cursor) => {
    const page = await keeper.entriesPage(cursor, PAGE)
    const last = page.at(-1)
    if (last === undefined) return null
    const write = async () => {
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
      return lines.length
    }
    return { upto: last.event_id, write }
  })
}
