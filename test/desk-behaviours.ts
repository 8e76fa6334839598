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
} as const satisfies Record<string, Entry>
