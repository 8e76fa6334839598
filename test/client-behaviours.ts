// The sentences about the programs of agents. They are part of the manifest in behaviours.ts.

import { atDoors, type Entry, everywhere, PRESENTED } from './entry.ts'

export const CLIENT_ENTRIES = {
  'hook/start': everywhere(
    'A hook at the start of a turn shows unread mail in its program’s form, and presents it.',
  ),
  'hook/stop': atDoors(
    PRESENTED,
    'A hook before the end of a turn holds the agent for mail that was never shown, and only once.',
  ),
  'hook/gone-out': everywhere(
    'A hook that is told what has gone out presents that and nothing else.',
  ),
  'hook/given': everywhere(
    'A hook neither repeats the mail that its program was started with nor holds the agent for it.',
  ),
  'hook/bad-input': everywhere(
    'A hook of a program or for an event that is not known is refused, and shows nothing.',
  ),
  'hook/progress': everywhere(
    'However long the mail and however much, each hook that holds an agent shows some of it; then it lets it go.',
  ),
  'hook/room': everywhere(
    'A hook shows first what was never shown, and of what is too long the beginning; the rest stays queued.',
  ),
} satisfies Record<string, Entry>
