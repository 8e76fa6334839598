// Everything that happened before today, from three days ago on. Each step is an operation, at the time at which it
// happened.

import { asking, CACHE_HOURS, FORCE_PUSH, LOG_LEVEL } from './asked.ts'
import type { Cast } from './cast.ts'
import { DemoOver, type Stage } from './stage.ts'
import type { StandIns } from './stand-ins.ts'

const DAY = 1440
/** A lease that outlasts whatever is told of it here. */
const LONG = 604_800

export async function playPast(
  stage: Stage,
  cast: Cast,
  carryOut: StandIns['carryOut'],
): Promise<void> {
  const { user, harbor, ledger, mica, quill, sable, wren, workspaces } = cast
  const at = (minutesAgo: number) => {
    if (stage.signal.aborted) throw new DemoOver()
    stage.clock.goTo(minutesAgo)
  }
  const seen = (entry: string) => user('push read', { entries: [entry] })

  // Three days ago.
  at(3 * DAY + 200)
  const search = await user('send', {
    to: 'mica',
    subject: 'Search in five languages',
    body: 'People in Helsinki and Lisbon find half of what is there. Measure it first, please.',
  })
  at(3 * DAY + 188)
  await mica('claim', { thread: search.thread.thread_id, lease_seconds: LONG })
  await mica('update', {
    thread: search.thread.thread_id,
    status: 'in_progress',
    summary: 'Measuring: 6,900 searches of last week, by language',
  })
  at(3 * DAY + 120)
  const backup = await ledger('notify', {
    message: 'Nightly backup finished in 6 min 10 s, 41 GB.',
  })
  at(3 * DAY + 110)
  await user('push read', { entries: [backup.entry_id] })
  at(3 * DAY + 90)
  const force = await harbor('request create', asking(FORCE_PUSH))
  at(3 * DAY + 72)
  await user('reject', {
    request: force.request_id,
    revision: 1,
    notes: 'Three people work on that branch, and the key is dead. Leave it.',
  })
  at(3 * DAY + 40)
  const seats = await user('send', {
    to: 'role:tests',
    subject: 'Try the address form on a slow phone',
  })
  await sable('claim', { thread: seats.thread.thread_id, lease_seconds: LONG })
  at(3 * DAY + 4)
  await sable('fail', {
    thread: seats.thread.thread_id,
    summary: 'The phone in the lab does not start',
    body: 'Its battery is flat and swollen. I took it off the charger; somebody should look at it.',
  })

  // The day before yesterday.
  at(2 * DAY + 260)
  const first = await mica('push', {
    workspace: workspaces.search,
    docs: ['reports/recall.csv'],
    comments:
      'First numbers for search\n\nFinnish is worst: a third of what people look for is not found.',
  })
  at(2 * DAY + 245)
  await seen(first.entry_id)
  await user('push reply', { entry: first.entry_id, comments: 'Worse than I thought. Go on.' })
  at(2 * DAY + 150)
  const cache = await quill('request create', asking(CACHE_HOURS))
  at(2 * DAY + 141)
  await user('approve', { request: cache.request_id, revision: 1 })
  await carryOut({ request_id: cache.request_id })
  at(2 * DAY + 60)
  const lunch = await wren('mail send', {
    to: 'user',
    type: 'status',
    subject: 'Support this week: 212 answered, 9 left to you',
    body: 'Most asked about invoices that come a day late. That goes away with 4.2.\n\nNine wait for a person, the oldest since Monday.',
  })
  at(2 * DAY + 31)
  await user('mail mark-read', { messages: [lunch.message?.id ?? ''] })

  // Yesterday.
  at(DAY + 300)
  await ledger(
    'request create',
    asking({
      type: 'question',
      title: 'May the test bank see real names?',
      payload: { text: 'Its certificate runs out tonight, and the new test wants real names.' },
      expires_seconds: 3600,
      on_expiry: 'reject',
    }),
  )
  at(DAY + 236)
  await user('sweep')
  at(DAY + 225)
  await harbor('push', {
    workspace: workspaces.billing,
    docs: ['reports/totals.csv'],
    comments:
      'Every total is the same in both ledgers\n\nSix months, 23,481 invoices, to the cent. I compared 500 of them line by line.',
  })
  at(DAY + 180)
  const notes = await user('send', {
    to: 'quill',
    subject: 'Release notes for 4.2',
    body: 'Short. Shop owners first, developers second.',
  })
  await quill('claim', { thread: notes.thread.thread_id, lease_seconds: LONG })
  at(DAY + 95)
  await quill('done', {
    thread: notes.thread.thread_id,
    summary: 'First draft pushed',
    body: 'Four hundred words. I left out the address check until sable has looked at it.',
    artifacts: [{ path: 'notes/4.2.md', kind: 'file', metadata_json: '{}' }],
  })
  at(DAY + 60)
  const old = await sable('request create', asking({ ...LOG_LEVEL, title: 'Log less in the cart' }))
  at(DAY + 50)
  await sable('cancel-request', { request: old.request_id, reason: 'It does so already.' })
}
