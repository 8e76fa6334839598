// A person reads rows, snoozes them, puts them away. Each is on the page at once and can be taken back; if the server
// refuses, the rows are as they were, and the refusal is said.

import { BACK_ABOVE } from '../../../core/desk/desk-reads.ts'
import type { OperationName } from '../../../ops/catalogue.ts'
import { makeKey, type PageInput } from '../../api/call.ts'
import { queries } from '../../api/queries.ts'
import { keepUnread } from '../../items/thread/reading.ts'
import { submit } from '../../live/outbox.ts'
import { dismiss, notify } from '../../ui/toasts.tsx'
import type { ListedRow } from './desk-ask.ts'
import type { Desk } from './desk-loader.ts'

type RowChange = {
  /** The notice when it is done. */
  text: string
  more?: string | undefined
  /** The beginning of the notice when the server refuses. */
  failed: string
  apply: () => void
  revert: () => void
  /** The server has what was applied or reverted. */
  settle?: () => void
  /** Tells the server; the ids that changed by it. */
  send: () => Promise<string[]>
  takeBack: (changed: string[]) => Promise<unknown>
}

const UNDO_MS = 10_000
const AT_ONCE = 500

function perform({
  text,
  more,
  failed,
  apply,
  revert,
  settle,
  send,
  takeBack,
}: RowChange): Promise<void> {
  const id = makeKey()
  apply()
  const fail = (error: Error) => {
    notify({ id, text: `${failed}: ${error.message}. Try again`, isFailure: true })
    settle?.()
    refetch()
  }
  const sending = send()
  const undo = async () => {
    dismiss(id)
    const changed = await sending.catch(() => [])
    if (changed.length === 0) return
    revert()
    await takeBack(changed).catch((error: Error) => {
      apply()
      fail(error)
    })
    settle?.()
    refetch()
  }
  notify({
    ...{
      id,
      text,
      undo: { run: () => void undo(), until: Date.now() + UNDO_MS, stays: true as const },
    },
    ...(more === undefined ? {} : { more }),
  })
  const done = () => {
    settle?.()
    refetch()
  }
  return sending.then(done, (error: Error) => {
    revert()
    fail(error)
  })
}

function refetch(): void {
  for (const name of ['desk', 'desk list', 'push show', 'show'] satisfies OperationName[]) {
    void queries.invalidateQueries({ queryKey: [name] })
  }
}

/** Calls an operation as often as its limit of ids needs. */
async function inParts<Name extends ChangingName>(
  name: Name,
  ids: readonly string[],
  inputOf: (part: string[]) => PageInput<Name>,
): Promise<string[]> {
  const changed: string[] = []
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const part = ids.slice(at, at + AT_ONCE)
    const [about = ''] = part
    const title = `${TITLES[name]} ${part.length === 1 ? 'a message' : `${part.length} messages`}`
    const answer = await submit({ op: name, input: inputOf(part), about, title })
    // Without a connection it is done later, and to all of them.
    changed.push(...((answer as { changed: string[] } | null)?.changed ?? part))
  }
  return changed
}

type ChangingName = 'desk mark' | 'desk snooze' | 'desk unsnooze' | 'push trash' | 'push restore'

/** How each is called if it waited for the connection and was refused then. */
const TITLES: Record<ChangingName, string> = {
  'desk mark': 'Marking',
  'desk snooze': 'Snoozing',
  'desk unsnooze': 'Bringing back',
  'push trash': 'Moving to trash',
  'push restore': 'Restoring',
}

/** Rows as words: the title of one, the number of several. */
function said(rows: readonly ListedRow[], one: string, many: (count: string) => string) {
  return rows.length === 1
    ? { text: one, more: rows[0]?.title }
    : { text: many(rows.length.toLocaleString()), more: undefined }
}

/** Words that have come since the rows were drawn are not put away with them. */
function upto(rows: readonly ListedRow[]): { upto: number } {
  return { upto: Math.max(...rows.map(({ event_id }) => event_id % BACK_ABOVE)) }
}

const idsOf = (rows: readonly ListedRow[]) => rows.map(({ thread_id }) => thread_id)

export function markRows(desk: Desk, rows: readonly ListedRow[], as: 'read' | 'unread') {
  const wrong = rows.filter(({ unread }) => unread > 0 !== (as === 'unread'))
  if (wrong.length === 0) return Promise.resolve()
  const before = new Map(wrong.map((row) => [row.thread_id, row.unread]))
  if (as === 'unread') keepUnread(idsOf(wrong))
  let settle = () => {}
  const show = (unreadOf: (id: string) => number) => {
    const known = idsOf(wrong).flatMap((id) => desk.state().rows.get(id) ?? [])
    settle = desk.mark(known.map((row) => ({ ...row, unread: unreadOf(row.thread_id) })))
  }
  const opposite = as === 'read' ? ('unread' as const) : ('read' as const)
  return perform({
    ...said(wrong, `Marked as ${as}`, (count) => `Marked ${count} as ${as}`),
    failed: `Couldn't mark ${wrong.length === 1 ? 'it' : 'them'} as ${as}`,
    apply: () => show(() => (as === 'read' ? 0 : 1)),
    revert: () => show((id) => before.get(id) ?? 0),
    settle: () => settle(),
    send: () => inParts('desk mark', idsOf(wrong), (threads) => ({ threads, as, ...upto(wrong) })),
    takeBack: (changed) => inParts('desk mark', changed, (threads) => ({ threads, as: opposite })),
  })
}

/** Out of the list until a time, or without one until there are new words. */
export function snoozeRows(
  desk: Desk,
  rows: readonly ListedRow[],
  until: Date | null,
  when: string,
) {
  const ids = idsOf(rows)
  const time = until === null ? {} : { until: until.toISOString() }
  return perform({
    ...(until === null
      ? said(rows, 'Put away until something new comes', (count) => `Put ${count} away`)
      : said(rows, `Snoozed until ${when}`, (count) => `Snoozed ${count} until ${when}`)),
    failed: `Couldn't snooze ${rows.length === 1 ? 'it' : 'them'}`,
    ...removing(desk, ids),
    send: async () => {
      const changed = await inParts('desk snooze', ids, (threads) => ({
        ...{ threads, ...time, ...upto(rows) },
      }))
      return changed
    },
    takeBack: (changed) => inParts('desk unsnooze', changed, (threads) => ({ threads })),
  })
}

export function wakeRows(desk: Desk, rows: readonly ListedRow[]) {
  const ids = idsOf(rows)
  return perform({
    ...said(rows, 'Back in the inbox', (count) => `${count} are back in the inbox`),
    failed: `Couldn't bring ${rows.length === 1 ? 'it' : 'them'} back`,
    ...removing(desk, ids),
    send: async () => {
      const changed = await inParts('desk unsnooze', ids, (threads) => ({ threads }))
      return changed
    },
    takeBack: async (changed) => {
      // Each goes back to its own time.
      const times = Map.groupBy(
        rows.filter(({ thread_id }) => changed.includes(thread_id)),
        ({ snoozed_until }) => snoozed_until,
      )
      for (const [until, own] of times) {
        const time = until === null ? {} : { until }
        await inParts('desk snooze', idsOf(own), (threads) => ({ threads, ...time }))
      }
    },
  })
}

/** A push goes to the trash. Anything else cannot be thrown away; it is put away until there are new words. */
export function putAway(desk: Desk, rows: readonly ListedRow[]) {
  const pushes = idsOf(rows.filter(({ what }) => what === 'push'))
  const others = idsOf(rows.filter(({ what }) => what !== 'push'))
  if (pushes.length === 0) return snoozeRows(desk, rows, null, '')
  return perform({
    ...(others.length === 0
      ? said(rows, 'Moved to trash', (count) => `Moved ${count} to trash`)
      : { text: `Moved ${pushes.length} to trash, put ${others.length} away` }),
    failed: `Couldn't move ${rows.length === 1 ? 'it' : 'them'} to trash`,
    ...removing(desk, idsOf(rows)),
    send: async () => {
      const trashed = await inParts('push trash', pushes, (entries) => ({ entries }))
      const snoozed = await inParts('desk snooze', others, (threads) => ({
        threads,
        ...upto(rows),
      }))
      return [...trashed, ...snoozed]
    },
    takeBack: async (changed) => {
      const of = (ids: string[]) => ids.filter((id) => changed.includes(id))
      await inParts('push restore', of(pushes), (entries) => ({ entries }))
      await inParts('desk unsnooze', of(others), (threads) => ({ threads }))
    },
  })
}

function removing(desk: Desk, ids: readonly string[]) {
  return {
    apply: () => desk.remove(ids),
    revert: () => desk.bringBack(ids),
    settle: () => desk.settle(ids),
  }
}
