// The sentences about looking at work and waiting for it, part of the manifest in test/behaviours.ts.

import {
  atDoors,
  type Entry,
  everywhere,
  FLAGS,
  OWN_FORM,
  WAITING,
  WHO_CALLS,
} from '../../entry.ts'

export const LOOK_ENTRIES = {
  'list/order': everywhere('list shows the most recently active thread first.'),
  'list/agent': everywhere('list of an agent is what it created and what is assigned to it.'),
  'list/filters': atDoors(
    FLAGS,
    'list narrows by status, creator and assignee, alone and together.',
  ),
  'list/limit': everywhere('list shows no more than its limit.'),
  'list/pages': atDoors(
    OWN_FORM,
    'A list that is longer than its limit says so and how to go on; nothing is left out or comes twice.',
  ),
  'list/empty': everywhere('list that finds nothing returns an empty list with exit 0.'),
  'list/bad-input': everywhere('list with an unknown status or a limit out of bounds is refused.'),
  'list/text': atDoors(
    OWN_FORM,
    'list finds a text in subjects and names, in either case of a to z, and goes on where it stopped.',
  ),
  'list/blocked-on': atDoors(
    OWN_FORM,
    'list shows what is blocked on one answerer, the longest waiting first if asked.',
  ),
  'list/standing': atDoors(
    OWN_FORM,
    'list with standing shows each holder, each open question, and how many threads have each status.',
  ),
  'list/not-who-calls': everywhere('list is not narrowed to the caller’s threads.'),

  'show/history': everywhere('show lists all messages of a thread in the order they were written.'),
  'show/unknown': everywhere('show of an unknown thread is refused as not found.'),
  'show/lease': everywhere(
    'show says who holds the thread, since when and until when, and never the token.',
  ),
  'show/changes-nothing': everywhere('show changes no row unless it is asked to mark.'),
  'show/mark-read': atDoors(
    OWN_FORM,
    'show with mark_read moves the agent’s read mark to the last message, and never back.',
  ),
  'show/mail-of-others': atDoors(
    WHO_CALLS,
    'An agent is shown mail it sent or got; the orchestrator, people and unnamed callers are shown any.',
  ),
  'show/mark-needs-agent': everywhere('mark_read without an agent is refused.'),

  'status/counts': everywhere('status counts threads by status, messages and events.'),
  'status/attention': atDoors(
    FLAGS,
    'status names the oldest pending thread, open questions and the leases next to lapse.',
  ),

  'watch/no-replay': everywhere('watch without a cursor starts now and replays nothing.'),
  'watch/resumes': everywhere('watch after an event answers with what came after it, in order.'),
  'watch/wakes': atDoors(WAITING, 'watch sleeps until something happens, forever with timeout 0.'),
  'watch/timeout': everywhere('watch that times out exits with 10 and returns its cursor.'),
  'watch/agent': everywhere('watch of an agent sees its threads, but not what it did itself.'),
  'watch/status': everywhere('watch of statuses sees only what leaves a thread in one of them.'),
  'watch/quiet': everywhere('Renewals and read marks wake no one.'),
  'watch/lapse': atDoors(WAITING, 'A watcher sweeps a lapsed lease and is told about it.'),
  'watch/expired': everywhere('A cursor before what was pruned is cursor_expired, never a skip.'),
  'watch/beyond': everywhere('A cursor beyond the log is refused.'),
  'watch/exactly-once': everywhere('Following the cursor shows every event once, in order.'),

  'wait-reply/early': everywhere('An answer that came before the wait is not lost.'),
  'wait-reply/wakes': atDoors(
    WAITING,
    'wait-reply sleeps until the answer and returns it with the cursor to go on from.',
  ),
  'wait-reply/later': everywhere(
    'An answer from before the waiter’s own last message is not taken.',
  ),
  'wait-reply/own': everywhere('The waiter’s own messages are not replies.'),
  'wait-reply/after-message': atDoors(
    OWN_FORM,
    'wait-reply after a message takes only what came after it; an unknown one is not found.',
  ),
  'wait-reply/after-event': atDoors(
    OWN_FORM,
    'wait-reply after an event takes only what came after it.',
  ),
  'wait-reply/one-cursor': everywhere('Two cursors, or a wait in no thread, are refused.'),
  'wait-reply/holder': everywhere(
    'A wait without a name is the holder’s: from its last message on, and the answer is read by it.',
  ),
  'wait-reply/holder-lease': atDoors(
    WAITING,
    'A wait without a name keeps the holder’s lease alive, with a cursor and without.',
  ),
  'wait-reply/no-holder': everywhere(
    'A wait without a name in a thread that no one holds starts now.',
  ),
  'wait-reply/kinds': everywhere('wait-reply accepts answers, controls and results by default.'),
  'wait-reply/control': atDoors(WAITING, 'A cancellation reaches the worker that waits.'),
  'wait-reply/result': everywhere('A leader that waits gets the result, even if it came early.'),
  'wait-reply/keeps-lease': atDoors(WAITING, 'A wait keeps the waiter’s lease alive.'),
  'wait-reply/keeps-only-own': everywhere('A wait renews no lease but the waiter’s.'),
  'wait-reply/read-mark': atDoors(
    OWN_FORM,
    'A reply for the waiter counts as read by it; one for another does not.',
  ),
  'wait-reply/finished': everywhere('A wait for what can no longer come is refused.'),
  'wait-reply/cancelled': everywhere(
    'A cancelled thread ends its worker’s wait once; a further wait in it is refused.',
  ),
  'wait-reply/timeout': everywhere(
    'wait-reply that times out exits with 10 and returns its cursor.',
  ),
  'wait-reply/unknown': everywhere('wait-reply in a thread that does not exist is not found.'),
} satisfies Record<string, Entry>
