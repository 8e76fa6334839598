import { hasLapsed, type Lease } from '../core/lease.ts'
import { differences, emptyReplay, type Replayed, readKey, replayEvent } from '../core/replay.ts'
import { type Finding, LOADING, type Store, type StoreAdmin } from '../core/store.ts'
import { OPERATORS, query } from './operation.ts'

const PAGE = 1000
/** Enough to see a pattern; a broken store could have millions. */
const MOST_PROBLEMS = 20

export const doctor = query({
  name: 'doctor',
  summary: 'Check the store and say what to do about each finding.',
  about:
    'Checks the file or server, replays the whole log and compares it with the tables, and looks for leases nobody has taken back.',
  fields: {},
  callers: OPERATORS,
  refusals: [],
  async run({ store }): Promise<{ healthy: boolean; findings: Finding[]; next_event_id: number }> {
    const admin = await store.admin()
    const findings = [
      ...(await admin.inspect()),
      await checkLog(store, admin),
      await checkLeases(store, admin),
      await checkLoad(admin),
      identityNote(store),
    ]
    return {
      healthy: findings.every((finding) => finding.ok || finding.warning),
      findings: findings.map(({ check, ok, detail, ...more }) =>
        ok ? { check, ok, detail } : { check, ok, detail, ...more },
      ),
      next_event_id: await store.lastEventId(),
    }
  },
  verdict: ({ healthy }) => (healthy ? undefined : 'store_unusable'),
})

async function checkLog(store: Store, admin: StoreAdmin): Promise<Finding> {
  // Others may be writing: what is compared is what stood still while it was compared.
  let problems: string[] = []
  let events = 0
  for (let attempt = 0; attempt < 5; attempt++) {
    const before = await store.lastEventId()
    const replayed = emptyReplay()
    events = await replayLog(admin, replayed)
    problems = [...replayed.problems, ...(await compareTables(store, admin, replayed))]
    if (problems.length === 0 || (await store.lastEventId()) === before) break
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

async function replayLog(admin: StoreAdmin, into: Replayed): Promise<number> {
  let after = 0
  let events = 0
  for (;;) {
    const entries = await admin.log(after, PAGE)
    if (entries.length === 0) return events
    for (const { event, message } of entries) replayEvent(into, event, message)
    events += entries.length
    after = entries.at(-1)?.event.event_id ?? after
  }
}

async function compareTables(store: Store, admin: StoreAdmin, replayed: Replayed) {
  const problems: string[] = []
  const expect = <T extends object>(what: string, have: T, want: T | null | undefined) => {
    const fields = want ? differences(have, want) : ['everything']
    if (fields.length > 0) problems.push(`${what} differs from the log in ${fields.join(', ')}`)
  }
  let threads = 0
  let leases = 0
  let reads = 0
  await eachPage(admin.threadsPage, '', (thread) => {
    threads += 1
    expect(`thread ${thread.thread_id}`, thread, replayed.threads.get(thread.thread_id)?.thread)
    return thread.thread_id
  })
  await eachPage(admin.leasesPage, '', (lease) => {
    leases += 1
    expect(`lease of ${lease.thread_id}`, lease, replayed.threads.get(lease.thread_id)?.lease)
    return lease.thread_id
  })
  await eachPage(admin.readsPage, null, (mark) => {
    reads += 1
    expect(`read mark of ${readKey(mark)}`, mark, replayed.reads.get(readKey(mark)))
    return mark
  })
  const { counts } = await store.overview(1)
  const expectCount = (what: string, have: number, want: number) => {
    if (have !== want) problems.push(`${have} ${what} stored, ${want} in the log`)
  }
  expectCount('threads', threads, replayed.threads.size)
  expectCount('messages', counts.messages, replayed.messages.size)
  expectCount('read marks', reads, replayed.reads.size)
  const leased = [...replayed.threads.values()].filter((state) => state.lease !== null)
  expectCount('leases', leases, leased.length)
  return problems
}

async function eachPage<Row, Cursor>(
  page: (after: Cursor, limit: number) => Promise<Row[]>,
  start: Cursor,
  visit: (row: Row) => Cursor,
): Promise<void> {
  let cursor = start
  for (;;) {
    const rows = await page(cursor, PAGE)
    for (const row of rows) cursor = visit(row)
    if (rows.length < PAGE) return
  }
}

async function checkLeases(store: Store, admin: StoreAdmin): Promise<Finding> {
  const now = await store.now()
  const stuck: Lease[] = []
  await eachPage(admin.leasesPage, '', (lease) => {
    if (hasLapsed(lease, now)) stuck.push(lease)
    return lease.thread_id
  })
  const named = stuck
    .slice(0, MOST_PROBLEMS)
    .map((lease) => `${lease.thread_id} (${lease.agent_id})`)
  return {
    check: 'leases',
    ok: stuck.length === 0,
    detail:
      stuck.length === 0
        ? 'no lapsed lease is waiting to be taken back'
        : `${stuck.length} lapsed and not taken back: ${named.join(', ')}`,
    warning: true,
    remedy: "run 'inbox sweep', or claim the thread",
  }
}

async function checkLoad(admin: StoreAdmin): Promise<Finding> {
  const loading = (await admin.setting(LOADING)) !== null
  return {
    check: 'import',
    ok: !loading,
    detail: loading ? 'an import did not finish' : 'no import was left half done',
    remedy: 'remove this store and import again',
  }
}

// Said on every run, because people read doctor when they wonder what is protected.
function identityNote(store: Store): Finding {
  return {
    check: 'identity',
    ok: true,
    detail: `whoever may write ${store.place} may act under any name; names here are not proof`,
  }
}
