// The sentences about a person's desk, part of the manifest in test/behaviours.ts.

import { type Entry, everywhere } from '../../entry.ts'

export const DESK_ENTRIES = {
  'desk/list': everywhere(
    'A desk has a row for each thread that was delivered to a person, with the latest message first.',
  ),
  'desk/filters': everywhere(
    'A desk can be filtered by unread, by workspace, or by the agent that started the thread.',
  ),
  'desk/away': everywhere(
    'Notifications have a separate desk, and trashed threads are on neither.',
  ),
  'desk/quiet': everywhere('Looking at a desk presents nothing and marks nothing as read.'),
  'desk/people': everywhere(
    'A desk belongs to a person: an agent has none, and another person’s is not shown.',
  ),
  'desk/counts': everywhere(
    'A desk counts what is unread, what needs the person and how many agents are at work.',
  ),
  'desk/needs': everywhere(
    'Items that need a person are listed, soonest expiry first, until someone answers or decides.',
  ),
  'desk/not-mine': everywhere(
    'A request that a person may not decide, or that is held, does not need them.',
  ),
  'desk/around': everywhere(
    'A desk can be read around a thread and in both directions, and every row comes once.',
  ),
  'desk/text': everywhere(
    'A desk is searched by subject, beginning of the text, names, workspace and document paths.',
  ),
  'desk/places': everywhere('desk list refuses options that contradict each other.'),
  'desk-snooze/until': everywhere(
    'A snoozed thread is off its person’s desk until its time, and comes back unread, at the top.',
  ),
  'desk-snooze/words': everywhere('A new message brings a snoozed thread back before its time.'),
  'desk-snooze/put-away': everywhere(
    'A thread that was put away comes back with a new message, and not by itself.',
  ),
  'desk-snooze/read': everywhere(
    'A thread back from snooze says so until it is read, whichever way, or snoozed again.',
  ),
  'desk-snooze/taken-back': everywhere(
    'Undoing a snooze leaves the desk as it was before, read or unread.',
  ),
  'desk-snooze/own': everywhere('A thread is snoozed for one person; others still see it.'),
  'desk-snooze/refused': everywhere(
    'Snoozing a thread that is not on the desk, or until a time in the past, is refused.',
  ),
  'desk-snooze/seen': everywhere(
    'A thread that got a new message since it was listed is neither snoozed nor marked.',
  ),
  'desk-snooze/counts': everywhere(
    'Until it is back, a snoozed thread counts neither as unread nor as needing anyone.',
  ),
  'desk-snooze/pages': everywhere(
    'Pages of a desk with threads that are back by their time hold every thread once.',
  ),
  'desk-snooze/once': everywhere('Snoozing, unsnoozing and marking happen once per key.'),
  'desk-mark/every-kind': everywhere(
    'Threads of every kind are marked as read and as unread together, and the answer names what changed.',
  ),
  'desk/log': everywhere('An exported log brings desks back as they were, with what is snoozed.'),
  'desk/log-poisoned': everywhere(
    'An imported log cannot contain snoozes that no person could have set.',
  ),
  'desk/tampered': everywhere('doctor finds a desk that does not follow from the log.'),
  'desk/pruned': everywhere('A snooze that ended a month ago is pruned with its events.'),
  'desk-days/counts': everywhere(
    'The days of a desk count its threads and the unread ones, in the caller’s time zone.',
  ),
  'desk-days/pages': everywhere(
    'Every day of a desk begins a page of its list, and a long day comes in parts of at most 500.',
  ),
  'desk-days/parts': everywhere(
    'desk days counts a bounded part of a long desk and says where the next begins; a command counts all of it.',
  ),
} as const satisfies Record<string, Entry>
