// The sentences about a person's desk; test/behaviours.ts takes them in.

import { type Entry, everywhere } from './entry.ts'

export const DESK_ENTRIES = {
  'desk/list': everywhere(
    'A desk has a row for each thread that was delivered to a person, with the latest word first.',
  ),
  'desk/filters': everywhere(
    'A desk can be narrowed to what is unread, to a workspace, or to what one agent began.',
  ),
  'desk/away': everywhere(
    'Notifications have a desk of their own, and what was put away is on none.',
  ),
  'desk/quiet': everywhere('Looking at a desk presents nothing and marks nothing as read.'),
  'desk/people': everywhere(
    'A desk is a person’s: an agent has none, and of another’s nothing is shown.',
  ),
  'desk/counts': everywhere(
    'A desk counts what is unread, what needs the person and how many agents are at work.',
  ),
  'desk/needs': everywhere(
    'What needs a person is listed with the soonest expiry first, and ends when somebody answers or decides.',
  ),
  'desk/not-mine': everywhere(
    'A request that a person may not decide, or that is held, does not need them.',
  ),
  'desk/around': everywhere(
    'A desk can be read around a thread and in both directions, and every row comes once.',
  ),
  'desk/text': everywhere(
    'A desk is searched by subject, first words, names, workspace and the paths of documents.',
  ),
  'desk/places': everywhere('A look at a desk that says two places at once is refused.'),
} as const satisfies Record<string, Entry>
