// The sentences about a person's settings, part of the manifest in test/behaviours.ts.

import { type Entry, everywhere } from '../../entry.ts'

export const SETTINGS_ENTRIES = {
  'settings/first': everywhere(
    'A person who has set nothing has the default settings, and looking at them writes nothing.',
  ),
  'settings/set': everywhere(
    'person set changes what is given and leaves the rest; setting the same again writes nothing.',
  ),
  'settings/own': everywhere('Each person has settings of their own, and an agent has none.'),
  'settings/pause': everywhere(
    'A pause lasts the minutes that were given by the store’s clock, and 0 ends it.',
  ),
  'settings/refused': everywhere(
    'Too many views, two of one name, unknown screens, invalid times, or nothing at all is refused.',
  ),
  'settings/key': everywhere('Repeating person set with its key returns the first answer.'),
  'settings/log': everywhere(
    'Settings are in the log: an import brings them back, and admits none that could not be set.',
  ),
} as const satisfies Record<string, Entry>
