import { refuse } from '../../core/error.ts'
import type { LogEntry } from '../../core/keeping/keeper.ts'
import { aNumber, CURSOR } from '../kit/answer.ts'
import { mustBeAboveFloor, mustBeInLog } from '../kit/cursor.ts'
import { byDefault, choice, flag, int } from '../kit/field.ts'
import type { Files } from '../kit/files.ts'
import { type Context, PEOPLE, query } from '../kit/operation.ts'
import { entryJson } from './entry-line.ts'
import { type ExportTotals, writeLog } from './write-log.ts'

/** Increase this if older readers can't read the new form. */
export const FORMAT = 1
/** The first line of a complete log: the store's id, and the last event that may have been pruned. */
export type Header = { mailroom: typeof FORMAT; store: string; floor: number }

const PAGE = 500

export const exportLog = query({
  name: 'export',
  example: 'export --out all.jsonl',
  summary: 'Write the log as JSON lines: one event per line, with its message.',
  about:
    "Importing the log gives the same store. The log contains lease tokens, so keep it as private as the store; it contains no idempotency keys. With --follow the file is kept up to date until interrupted. In a mailbox, each message becomes a line when it is sent, in the form of 'mail export'; a line is never rewritten, so its `read` is the state when the line was written. In entries, each push is a line: id, ts, workspaceId, workspaceLabel, docs, comments, and other fields that are known. The line of a deleted push is removed again; unreadable lines are left unchanged.",
  fields: {
    as: byDefault(
      choice(
        ['log', 'mailbox', 'entries'],
        'log: every event; mailbox: every message; entries: every push',
      ),
      'log',
    ),
    after_event: int('only events after this one'),
    follow: flag('keep writing as things happen'),
  },
  set: 'none',
  callers: PEOPLE,
  guarded: true,
  blocks: true,
  streams: true,
  refusals: ['invalid_input', 'cursor_expired'],
  async run(context, input) {
    const { store, files, makeId } = context
    if (files === undefined) throw refuse.invalid_input`export writes files; use the shell`
    if (input.as === 'mailbox') {
      const { writeMailbox } = await import('./mail-export.ts')
      return writeMailbox(context, files, input)
    }
    if (input.as === 'entries') return writeEntries(context, files, input)
    const keeper = await store.keeper()
    if (input.after_event !== undefined) {
      await mustBeInLog(store, input.after_event)
      await mustBeAboveFloor(store, input.after_event)
    }
    const floor = await store.floor()
    if (input.after_event === undefined) {
      const header: Header = {
        mailroom: FORMAT,
        store: await keeper.storeId(makeId('store')),
        floor,
      }
      await files.write(`${JSON.stringify(header)}\n`)
    }
    return writeLog(context, input, async (cursor) => {
      const entries = await keeper.log(cursor, PAGE)
      // If events above the cursor were pruned since the export began, a thread would be incomplete.
      if ((await store.floor()) > floor) await mustBeAboveFloor(store, cursor)
      const last = entries.at(-1)
      if (last === undefined) return null
      const write = async () => {
        await files.write(entries.map(lineOf).join(''))
        return entries.length
      }
      return { upto: last.event.event_id, write }
    })
  },
  takesLong: ({ follow }) => (follow ? 'exporting what comes; Ctrl-C stops' : 'exporting'),
  answer: { events: aNumber('how many were written'), next_event_id: CURSOR },
  async lines({ events }) {
    const { count } = await import('../kit/drawing/text.ts')
    return `${count(events, 'event')}\n`
  },
  shellFlags: [
    {
      flag: '--out',
      value: 'PATH',
      about: 'write to a file; an existing one is continued',
      repeats: false,
    },
  ],
  outFile: ({ as }) => (as === 'mailbox' || as === 'entries' ? as : 'log'),
})

export function lineOf({ event, message: stored }: LogEntry): string {
  if (stored === null) return `${JSON.stringify({ event })}\n`
  // Leave out `imported_by`: it follows from the message's event, or isn't in the log of a store imported whole.
  const { imported_by: _, ...message } = stored
  return `${JSON.stringify({ event, message })}\n`
}

/** Writes a line for every push in log order, and removes the lines of deleted pushes. */
async function writeEntries(
  context: Context,
  files: Files,
  want: { after_event?: number | undefined; follow?: boolean | undefined },
): Promise<ExportTotals> {
  const { store } = context
  if (want.after_event !== undefined) await mustBeInLog(store, want.after_event)
  const keeper = await store.keeper()
  // The file may already have some of the pushes. A deleted push's line is removed when the log reaches its deletion.
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
