// Everything that happened today, until a moment before the demo begins.

import {
  asking,
  DROP_PREVIEWS,
  FALLBACK,
  HOSTING,
  LOG_LEVEL,
  REFUND_FILES,
  RETRIES,
  REVIEW,
  STATUS_ENTRY,
} from './asked.ts'
import type { Cast } from './cast.ts'
import { DemoOver, type Stage } from './stage.ts'

/** The threads that go on while one watches. */
export type OpenWork = { move: string; rounding: string }

export async function playToday(stage: Stage, cast: Cast): Promise<OpenWork> {
  const { user, harbor, ledger, mica, quill, sable, wren, workspaces } = cast
  const at = (minutesAgo: number) => {
    if (stage.signal.aborted) throw new DemoOver()
    stage.clock.goTo(minutesAgo)
  }
  const seen = (entry: string) => user('push read', { entries: [entry] })
  at(410)
  await ledger('notify', { message: 'Nightly backup finished in 6 min 22 s, 41 GB.' })
  at(372)
  const languages = await mica('push', {
    workspace: workspaces.search,
    docs: ['reports/languages.md', 'reports/recall.csv', 'reports/answers.png'],
    comments:
      'Search now finds 9 in 10, in all five languages\n\nThe chart is the time to an answer, before and now. I would turn it on for everybody tomorrow.',
  })
  at(350)
  await seen(languages.entry_id)
  await user('push reply', {
    entry: languages.entry_id,
    comments: 'Lovely. What about part numbers?',
  })
  at(349)
  const mail = await mica('mail read')
  const asked = mail.messages.at(-1)
  await mica('mail mark-read', { all: true })
  at(344)
  await mica('mail send', {
    in_reply_to: asked?.id ?? '',
    type: 'answer',
    subject: 'Part numbers',
    body: 'Those with a slash count as two words. The fix is ready and goes in with the next rebuild, on Saturday.',
  })
  at(300)
  await quill('push', {
    workspace: workspaces['docs-site'],
    docs: ['notes/4.2.md', 'preview/4.2.html'],
    comments:
      'Release notes 4.2, second draft\n\nShorter by a third. The address check is in. **Open point:** do we say that parcels to Åland get the wrong zone?',
  })
  at(262)
  const card = await ledger('request create', asking(RETRIES(8, 6)))
  at(248)
  await user('request-revision', {
    request: card.request_id,
    revision: 1,
    notes: 'Eight times in two days is harassment. Fewer, and further apart.',
  })
  at(241)
  const { payload, consequence } = asking(RETRIES(4, 24))
  await ledger('resubmit', { request: card.request_id, revision: 1, payload, consequence })
  at(236)
  await ledger('comment', {
    request: card.request_id,
    body: 'Four tries, a day apart. By October that brings 1,700 euros of the 2,100.',
  })
  at(205)
  await sable('push', {
    workspace: workspaces['checkout-web'],
    docs: ['reports/midnight.md', 'src/order-clock.ts'],
    comments: 'Found: why the address test fails at night\n\nIt is not the test.',
  })
  at(196)
  await sable('request review', REVIEW)
  at(170)
  await harbor('request create', asking(STATUS_ENTRY))
  at(150)
  await wren('request create', asking(REFUND_FILES))
  at(133)
  await harbor('request create', asking(HOSTING))
  at(121)
  await mica('request create', asking(FALLBACK))
  at(96)
  await wren('mail send', {
    to: 'user',
    type: 'question',
    subject: 'A customer wants her invoices from 2019. May I?',
    body: 'Mrs Okafor asks for all of them, 38 in number. They are older than what we promise to keep, and they are there.\n\nI would send them and say that we cannot promise it next time.',
  })
  at(84)
  await sable('request create', asking(LOG_LEVEL))

  // Work that is still under way.
  at(75)
  const move = await user('send', {
    to: 'harbor',
    subject: 'Move the invoices to the new ledger',
    body: 'On Sunday before nine. Rehearse it until it bores you.',
    priority: 'high',
  })
  at(70)
  await harbor('claim', { thread: move.thread.thread_id, lease_seconds: 5400 })
  at(52)
  await harbor('update', {
    thread: move.thread.thread_id,
    status: 'in_progress',
    summary: 'Second rehearsal done: 7 min 52 s, nothing lost',
  })
  at(48)
  const blocked = await user('send', {
    to: 'ledger',
    subject: 'Take the old export out of billing',
    body: 'Nobody should need it after 4.2.',
  })
  await ledger('claim', { thread: blocked.thread.thread_id, lease_seconds: 7200 })
  at(41)
  await user('send', {
    to: 'sable',
    subject: 'Look at the back office on a small laptop',
    body: 'The order list is cut off at 1280 points.',
    priority: 'low',
  })
  await user('send', { to: 'role:docs', subject: 'A page about webhooks that come twice' })
  at(36)
  const rounding = await harbor('send', {
    to: 'mica',
    subject: 'Check the rounding of split invoices',
    body: 'Three cents differ in March. See src/rounding.ts.',
  })
  await mica('claim', { thread: rounding.thread.thread_id, lease_seconds: 5400 })
  await mica('update', {
    thread: rounding.thread.thread_id,
    status: 'in_progress',
    summary: 'Found the invoice; it has seven lines and a discount',
  })
  at(31)
  await harbor('request create', asking(DROP_PREVIEWS))
  at(26)
  const cutover = await harbor('push', {
    workspace: workspaces.billing,
    docs: ['runbooks/cutover.md', 'reports/totals.csv', 'src/rounding.ts'],
    comments:
      'The move takes 8 minutes of the 20 we asked for\n\nTwo rehearsals, both whole. What is missing is your word on the window: **Sunday, 08:00 to 08:20**.',
  })
  at(19)
  await ledger('update', {
    thread: blocked.thread.thread_id,
    status: 'blocked',
    summary: 'Two shops still fetch the old export every night. Keep it for one release?',
    body: 'Both are run by the same agency. I can write to it today; an answer takes a week, as a rule.',
    payload_json: JSON.stringify({
      options: ['Keep it for one release', 'Take it out, and write to them', 'Ask me on Friday'],
    }),
  })
  at(14)
  await user('push reply', {
    entry: cutover.entry_id,
    comments: 'Good. Is 08:00 our time or theirs?',
  })
  at(13)
  const words = await harbor('mail read')
  at(12)
  await harbor('mail mark-read', { all: true })
  at(11)
  await harbor('mail send', {
    in_reply_to: words.messages.at(-1)?.id ?? '',
    type: 'answer',
    subject: 'Ours',
    body: 'Ours. In Lisbon it is seven, and no shop there opens before nine.',
  })
  at(6)
  await quill('mail send', {
    to: 'harbor',
    type: 'status',
    subject: 'Second draft of the notes is with the user; a page about webhooks is next',
  })
  await sable('notify', {
    message: 'The nightly tests are green again: 1,204 passed, none skipped.',
  })
  at(1)
  return {
    move: move.thread.thread_id,
    rounding: rounding.thread.thread_id,
  }
}
