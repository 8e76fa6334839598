// The sentences about how people look at channels, part of the manifest in test/behaviours.ts.

import { type Entry, everywhere } from '../../entry.ts'

export const CHANNEL_VIEW_ENTRIES = {
  'channel-view/list': everywhere(
    'People see instances in one list: running ones, then the last ended, page by page.',
  ),
  'channel-view/unread': everywhere(
    'The list says how long each channel is, and how many mentions of the person are unread.',
  ),
  'channel-view/none': everywhere('Where no workflow has run, the list of channels is empty.'),
  'channel-view/glance': everywhere(
    'An instance at a glance: the status of its run and of each agent, its unread mail, its last message.',
  ),
  'channel-view/entries': everywhere(
    'A channel of any length is read in pieces: the end of it, before a place, or after one.',
  ),
  'channel-view/silent': everywhere('A run without a context has no entries.'),
  'channel-view/refused': everywhere(
    'Looking at channels is for people, names an instance that exists, and goes in one direction.',
  ),
} satisfies Record<string, Entry>
