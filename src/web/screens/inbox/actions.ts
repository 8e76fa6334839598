// What the person can do with rows: mark, snooze or put them away. Each change shows immediately and can be undone. If
// the server refuses it, the rows change back, and a toast says why.

import { BACK_ABOVE } from '../../../core/desk/desk-reads.ts'
import type { OperationName } from '../../../ops/catalogue.ts'
import { makeKey, type PageInput } from '../../api/call.ts'
import { queries } from '../../api/queries.ts'
import { keepUnread } from '../../items/thread/read-after-dwell.ts'
import { submit } from '../../live/outbox.ts'
import { dismissToast, showToast } from '../../ui/toasts.tsx'
import type { Desk } from './desk.ts'
import { type ListedRow, markInPage, removeFromPage, restoreInPage } from './page.ts'

type RowAction = {
  /** The notice: what was done, and to what. */
  text: string
  more?: string | undefined
  /** The beginning of the notice if the server refuses. */
  failed: string
  /** Shows the change. Returns a function to call once the server has it. */
  apply: () => () => void
  revert: () => () => void
  send: () => Promise<string[]>
  undo: (changed: string[]) => Promise<unknown>
}

const UNDO_MS = 10_000

async function perform(action: RowAction): Promise<void> {
  const { text, more, failed, apply, revert, send, undo } = action
  const id = makeKey()
  const applied = apply()
  const sending = send()
  const fail = (error: Error) =>
    showToast({ id, text: `${failed}: ${error.message}. Try again`, isFailure: true })
  const run = async () => {
    dismissToast(id)
    const changed = await sending.catch(() => [])
    if (changed.length === 0) return
    const reverted = revert()
    try {
      await undo(changed)
    } catch (error) {
      apply()()
      fail(error as Error)
    }
    reverted()
    refetch()
  }
  showToast({
    id,
    text,
    ...(more === undefined ? {} : { more }),
    undo: { run: () => void run(), until: Date.now() + UNDO_MS, stays: true },
  })
  try {
    await sending
  } catch (error) {
    revert()()
    fail(error as Error)
  }
  applied()
  refetch()
}

function refetch(): void {
  for (const name of ['desk', 'desk list', 'push show', 'show'] satisfies OperationName[]) {
    void queries.invalidateQueries({ queryKey: [name] })
  }
}

export function markRows(desk: Desk, rows: readonly ListedRow[], as: 'read' | 'unread') {
  const wrong = rows.filter(({ unread }) => unread > 0 !== (as === 'unread'))
  if (wrong.length === 0) return Promise.resolve()
  if (as === 'unread') keepUnread(idsOf(wrong))
  const marked = new Map(wrong.map(({ thread_id }) => [thread_id, as === 'read' ? 0 : 1]))
  const before = new Map(wrong.map(({ thread_id, unread }) => [thread_id, unread]))
  const opposite = as === 'read' ? ('unread' as const) : ('read' as const)
  return perform({
    ...describe(wrong, `Marked as ${as}`, (count) => `Marked ${count} as ${as}`),
    failed: `Couldn’t mark ${wrong.length === 1 ? 'it' : 'them'} as ${as}`,
    apply: () => desk.change(markInPage(marked, wrong)),
    revert: () => desk.change(markInPage(before, wrong)),
    send: () => inParts('desk mark', idsOf(wrong), (threads) => ({ threads, as, ...upto(wrong) })),
    undo: (changed) => inParts('desk mark', changed, (threads) => ({ threads, as: opposite })),
  })
}

/** Removes rows from the list until the given time or, if there's none, until a new message arrives. */
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
      ? describe(rows, 'Put away until there’s a new message', (count) => `Put ${count} away`)
      : describe(rows, `Snoozed until ${when}`, (count) => `Snoozed ${count} until ${when}`)),
    failed: `Couldn’t snooze ${rows.length === 1 ? 'it' : 'them'}`,
    ...takeOut(desk, rows),
    send: () => inParts('desk snooze', ids, (threads) => ({ threads, ...time, ...upto(rows) })),
    undo: (changed) => inParts('desk unsnooze', changed, (threads) => ({ threads })),
  })
}

export function wakeRows(desk: Desk, rows: readonly ListedRow[]) {
  return perform({
    ...describe(rows, 'Back in the inbox', (count) => `${count} are back in the inbox`),
    failed: `Couldn’t bring ${rows.length === 1 ? 'it' : 'them'} back`,
    ...takeOut(desk, rows),
    send: () => inParts('desk unsnooze', idsOf(rows), (threads) => ({ threads })),
    async undo(changed) {
      // Snooze each row again until its previous time.
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

/** Moves pushes to the trash. Other rows can't be deleted, so they are put away until there is a new message. */
export function putAway(desk: Desk, rows: readonly ListedRow[]) {
  const pushes = idsOf(rows.filter(({ what }) => what === 'push'))
  const others = idsOf(rows.filter(({ what }) => what !== 'push'))
  if (pushes.length === 0) return snoozeRows(desk, rows, null, '')
  return perform({
    ...(others.length === 0
      ? describe(rows, 'Moved to trash', (count) => `Moved ${count} to trash`)
      : { text: `Moved ${pushes.length} to trash, put ${others.length} away` }),
    failed: `Couldn’t move ${rows.length === 1 ? 'it' : 'them'} to trash`,
    ...takeOut(desk, rows),
    async send() {
      const trashed = await inParts('push trash', pushes, (entries) => ({ entries }))
      const snoozed = await inParts('desk snooze', others, (threads) => ({
        threads,
        ...upto(rows),
      }))
      return [...trashed, ...snoozed]
    },
    async undo(changed) {
      const among = (ids: string[]) => ids.filter((id) => changed.includes(id))
      await inParts('push restore', among(pushes), (entries) => ({ entries }))
      await inParts('desk unsnooze', among(others), (threads) => ({ threads }))
    },
  })
}

function takeOut(desk: Desk, rows: readonly ListedRow[]) {
  return {
    apply: () => desk.change(removeFromPage(rows)),
    revert: () => desk.change(restoreInPage(rows)),
  }
}

type ChangingName = 'desk mark' | 'desk snooze' | 'desk unsnooze' | 'push trash' | 'push restore'

/** How a notice names an action that waited for the connection and was then refused. */
const TITLES: Record<ChangingName, string> = {
  'desk mark': 'Marking',
  'desk snooze': 'Snoozing',
  'desk unsnooze': 'Bringing back',
  'push trash': 'Moving to trash',
  'push restore': 'Restoring',
}

const MOST_IDS = 500

async function inParts<Name extends ChangingName>(
  name: Name,
  ids: readonly string[],
  inputOf: (part: string[]) => PageInput<Name>,
): Promise<string[]> {
  const changed: string[] = []
  for (let at = 0; at < ids.length; at += MOST_IDS) {
    const part = ids.slice(at, at + MOST_IDS)
    const [about = ''] = part
    const title = `${TITLES[name]} ${part.length === 1 ? 'a message' : `${part.length} messages`}`
    const answer = await submit({ op: name, input: inputOf(part), about, title })
    // Without a connection, the change is made later, to all of these ids.
    changed.push(...((answer as { changed: string[] } | null)?.changed ?? part))
  }
  return changed
}

function describe(rows: readonly ListedRow[], one: string, many: (count: string) => string) {
  return rows.length === 1
    ? { text: one, more: rows[0]?.title }
    : { text: many(rows.length.toLocaleString()), more: undefined }
}

/** A message that arrived after the rows were drawn isn't marked or put away with them. */
function upto(rows: readonly ListedRow[]): { upto: number } {
  return { upto: Math.max(...rows.map(({ event_id }) => event_id % BACK_ABOVE)) }
}

const idsOf = (rows: readonly ListedRow[]) => rows.map(({ thread_id }) => thread_id)
