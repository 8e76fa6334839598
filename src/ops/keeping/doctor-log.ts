// Compares the log with the tables: every table derived from the log must match what replaying the log gives.
// Sightings, turns and token digests aren't part of the log and aren't compared.
//
// Works in slices of consecutive threads, so that only one slice is in memory at a time. Other processes can write
// during the comparison, so a slice with differences is compared again if the log has changed.

import type { DeskPlace } from '../../core/desk/desk-reads.ts'
import type {
  DeliveryPlace,
  Finding,
  Keeper,
  LogEntry,
  ReadPlace,
} from '../../core/keeping/keeper.ts'
import {
  differences,
  digestedIn,
  emptyReplay,
  inboxKey,
  namesDigest,
  type ReplayedLog,
  readKey,
  replayEvent,
} from '../../core/keeping/replay.ts'
import { type RecordList, type RecordOf, rowsOf } from '../../core/record.ts'
import { RECORDS } from '../../core/records.ts'
import type { Instant } from '../../core/time.ts'
import type { Context } from '../kit/operation.ts'
import { digestFault } from './log-line.ts'

const PAGE = 1000
const TRIES = 5

type LogCheck = Pick<Context, 'store' | 'digest'> & { keeper: Keeper; known: RecordList }
type Range = { after: string; upto: string | undefined }
type Slice = Range & { replayed: ReplayedLog; events: number; now: Instant }
/** For each table, the number of rows stored and the number that replaying the log gives. */
type RowCounts = Record<string, { stored: number; logged: number }>
type Comparison = { problems: string[]; counts: RowCounts }

export async function checkLog(
  context: Pick<Context, 'store' | 'digest' | 'progress'>,
  keeper: Keeper,
  known = RECORDS,
): Promise<Finding> {
  const problems: string[] = []
  const totals: RowCounts = {}
  let events = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    const { slice, compared } = await checkSlice({ ...context, keeper, known }, after)
    events += slice.events
    context.progress?.(`replayed ${events} events`)
    problems.push(...compared.problems.slice(0, MOST_PROBLEMS - problems.length))
    for (const [what, { stored, logged }] of Object.entries(compared.counts)) {
      totals[what] ??= { stored: 0, logged: 0 }
      totals[what].stored += stored
      totals[what].logged += logged
    }
    after = slice.upto
  }
  for (const [what, { stored, logged }] of Object.entries(totals)) {
    if (stored !== logged) problems.push(`${stored} ${what} stored, ${logged} in the log`)
  }
  return {
    check: 'log',
    ok: problems.length === 0,
    detail:
      problems.length === 0
        ? `${events} events replayed; the tables agree`
        : problems.slice(0, MOST_PROBLEMS).join('; '),
    remedy:
      "something wrote to the tables without the log; 'inbox export' the log and import it into a new store",
  }
}

/** Compares again if there are differences but the log changed during the comparison. */
async function checkSlice(check: LogCheck, after: string) {
  const { store, keeper } = check
  for (let tries = 1; ; tries++) {
    const before = await store.lastEventId()
    const slice = await replaySlice(check, after)
    const compared = await compare(keeper, slice)
    const isEven = Object.values(compared.counts).every((one) => one.stored === one.logged)
    if (compared.problems.length === 0 && isEven) return { slice, compared }
    const isStill = (await store.lastEventId()) === before
    if (isStill || tries === TRIES) return { slice, compared }
  }
}

/** Replays the whole threads in a page of the log. The first slice also has the events that belong to no thread. */
async function replaySlice(check: LogCheck, after: string): Promise<Slice> {
  const { keeper, known, store } = check
  const replayed = emptyReplay(known)
  const now = await store.now()
  let events = 0
  let place = { thread_id: after, event_id: after === '' ? 0 : Number.MAX_SAFE_INTEGER }
  for (;;) {
    const page = await keeper.logByThread(place, PAGE)
    const last = page.at(-1)?.event
    const isEnd = last === undefined || page.length < PAGE
    // The last thread may continue on the next page.
    const whole = isEnd ? page : page.filter(({ event }) => event.thread_id !== last.thread_id)
    const taken = whole.length > 0 ? whole : page
    for (const { event, message } of taken) {
      const fault = await faultyDigest({ event, message }, replayed, check)
      if (fault !== null) replayed.problems.push(`event ${event.event_id}: ${fault}`)
      replayEvent(replayed, event, message)
    }
    events += taken.length
    if (isEnd) return { after, upto: undefined, replayed, events, now }
    const upto = whole.at(-1)?.event.thread_id
    // Otherwise a single thread, or events without a thread, fill the whole page, so read the next one too.
    if (upto) return { after, upto, replayed, events, now }
    place = (taken.at(-1) ?? { event: place }).event
  }
}

async function faultyDigest(
  entry: LogEntry,
  replayed: ReplayedLog,
  { store, digest }: LogCheck,
): Promise<string | null> {
  if (!namesDigest(replayed, entry) || entry.message === null) return null
  try {
    // A page of the log doesn't include message bodies, which can be long, so messages are read one by one.
    const message = await store.message(entry.message.message_id)
    const named = digestedIn(replayed, { ...entry, message })
    return named === null ? null : await digestFault(digest, named)
  } catch (error) {
    return `its digest cannot be compared: ${(error as Error).message}`
  }
}

/** Sorts after every name. */
const LAST = '\u{10ffff}'

async function compare(keeper: Keeper, slice: Slice): Promise<Comparison> {
  const { after, upto, replayed } = slice
  const problems = replayed.problems
  const counts: RowCounts = {
    messages: {
      stored: await keeper.messagesBetween(after, upto),
      logged: replayed.messages.size,
    },
  }
  const comparing = (what: string, logged: number) => {
    const count = { stored: 0, logged }
    counts[what] = count
    return <T extends object>(name: string, have: T, want: T | null | undefined) => {
      count.stored += 1
      const fields = want ? differences(have, want) : ['everything']
      if (fields.length > 0) problems.push(`${name} differs from the log in ${fields.join(', ')}`)
    }
  }
  await compareThreads(keeper, slice, comparing)
  await compareDeliveries(keeper, slice, comparing)
  await compareRecords(keeper, slice, comparing)
  await compareDesks(keeper, slice, comparing)
  return { problems, counts }
}

type Comparer = (
  what: string,
  logged: number,
) => <T extends object>(name: string, have: T, want: T | null | undefined) => void

async function compareThreads(
  keeper: Keeper,
  { after, upto, replayed }: Slice,
  comparing: Comparer,
): Promise<void> {
  const { threads, reads } = replayed
  const leased = [...threads.values()].filter((state) => state.lease !== null)
  const expectThread = comparing('threads', threads.size)
  const expectLease = comparing('leases', leased.length)
  const expectRead = comparing('read marks', reads.size)
  const threadsPage = (from: string, limit: number) => keeper.threadsPage(from, limit, upto)
  await eachPage(threadsPage, after, (thread) => {
    const { thread_id } = thread
    expectThread(`thread ${thread_id}`, thread, threads.get(thread_id)?.thread)
    return thread_id
  })
  const leasesPage = (from: string, limit: number) => keeper.leasesPage(from, limit, upto)
  await eachPage(leasesPage, after, (lease) => {
    const { thread_id } = lease
    expectLease(`lease of ${thread_id}`, lease, threads.get(thread_id)?.lease)
    return thread_id
  })
  const readsPage = (from: ReadPlace, limit: number) => keeper.readsPage(from, limit, upto)
  await eachPage(readsPage, { thread_id: after, agent_id: LAST }, (mark) => {
    expectRead(`read mark of ${readKey(mark)}`, mark, reads.get(readKey(mark)))
    return mark
  })
}

/**
 * Desks aren't in the log, but they're derived from tables that are. A stored row with no unread mail can still have a
 * `wakes_at` in the past, which is compared as if it were empty.
 */
async function compareDesks(
  keeper: Keeper,
  { after, upto, now }: Slice,
  comparing: Comparer,
): Promise<void> {
  const { stored, made } = await keeper.deskRows(now, after, upto)
  const wanted = new Map(made.map((row) => [deskKey(row), row]))
  const expectRow = comparing('rows of desks', made.length)
  for (const row of stored) {
    const isOver = row.unread === 0 && row.wakes_at <= now
    const have = isOver ? { ...row, wakes_at: '' } : row
    expectRow(`the row of ${deskKey(row)} on a desk`, have, wanted.get(deskKey(row)))
  }
}

function deskKey({ thread_id, person }: DeskPlace): string {
  return `${thread_id} ${person}`
}

async function compareDeliveries(
  keeper: Keeper,
  { after, upto, replayed: { deliveries } }: Slice,
  comparing: Comparer,
): Promise<void> {
  let logged = 0
  for (const inbox of deliveries.values()) logged += inbox.length
  const expect = comparing('deliveries', logged)
  const page = (from: DeliveryPlace, limit: number) => keeper.deliveriesPage(from, limit, upto)
  const start: DeliveryPlace = { thread_id: after, recipient: LAST, event_id: 0 }
  await eachPage(page, start, (delivery) => {
    const { thread_id, recipient, event_id, message_id } = delivery
    const want = deliveries
      .get(inboxKey(thread_id, recipient))
      ?.find((one) => one.event_id === event_id)
    expect(`delivery of ${message_id} to ${recipient}`, delivery, want)
    return delivery
  })
}

/** Records that belong to no thread are all in the first slice. */
async function compareRecords(
  keeper: Keeper,
  { after, upto, replayed: { records, known } }: Slice,
  comparing: Comparer,
): Promise<void> {
  for (const record of known.all) {
    const isOfStore = record.kind === undefined
    if (isOfStore && after !== '') continue
    const rows = rowsOf(records, record)
    const expect = comparing(record.table, rows.size)
    const page = (from: string, limit: number) =>
      keeper.recordsPage(record, from, limit, isOfStore ? undefined : upto)
    await eachPage(page, after, (row) => {
      const key = String(row[record.key])
      const want = rows.get(key)
      expect(
        `${record.one} ${key}`,
        witnessedPart(record, row),
        want && witnessedPart(record, want),
      )
      return key
    })
  }
}

/** The part of a row that the log can confirm. Objects and lists are compared as JSON text. */
function witnessedPart<Row extends object>(record: RecordOf<Row>, row: Row): object {
  const fields = Object.entries(record.witnessed?.(row) ?? row)
  const flat = fields.map(([field, value]) => [
    field,
    value !== null && typeof value === 'object' ? JSON.stringify(value) : value,
  ])
  return Object.fromEntries(flat)
}

const ROWS_A_PAGE = 1000

/** Enough to see a pattern; a broken store could have millions. */
export const MOST_PROBLEMS = 20

export async function eachPage<Row, Cursor>(
  page: (after: Cursor, limit: number) => Promise<Row[]>,
  start: Cursor,
  visit: (row: Row) => Cursor,
): Promise<void> {
  let cursor = start
  for (;;) {
    const rows = await page(cursor, ROWS_A_PAGE)
    for (const row of rows) cursor = visit(row)
    if (rows.length < ROWS_A_PAGE) return
  }
}
