import { isPerson, USER } from '../../core/agents/agent.ts'
import {
  FIRST_SETTINGS,
  type NotifySettings,
  type Settings,
  type View,
} from '../../core/agents/settings.ts'
import { SETTINGS } from '../../core/agents/settings-record.ts'
import { callerBy, refuse } from '../../core/error.ts'
import type { RecordReads } from '../../core/record.ts'
import { aFlag, aList, aRow, aText, CURSOR, orNull, pickShown } from '../kit/answer.ts'
import { self } from '../kit/field.ts'
import { PEOPLE, query } from '../kit/operation.ts'

export const SETTINGS_ANSWER = aRow<Settings>('settings of a person', 'the settings', {
  views: aList(
    aRow<View>('saved view', 'a screen of the web app with its filters', {
      name: aText('what the person calls it'),
      screen: aText('inbox, approvals, threads or history'),
      search: aText('the filters, as in its address after the question mark'),
    }),
    'in the order they are shown',
  ),
  notify: aRow<NotifySettings>(
    'ways of telling',
    'how the person is notified that an agent needs them',
    {
      desktop: aFlag('whether to notify on the desktop, where browsers allow it'),
      sound: aFlag('whether to play a sound'),
      failures: aFlag('whether to notify of failed work as well'),
      quiet_from: orNull(aText('when quiet hours begin, as HH:MM in the person’s local time')),
      quiet_to: orNull(aText('when they end')),
      paused_until: orNull(aText('until when notifications are paused')),
    },
  ),
  mark_read: aText('when an open item counts as read: at once, after a moment, by hand'),
  single_keys: aFlag('whether single-key shortcuts are on'),
})

export const personSettings = query({
  name: 'person settings',
  example: 'person settings',
  summary: 'Show a person’s settings for the web app: saved views, notifications, keys.',
  about: 'Settings a person has not changed have their defaults.',
  fields: {
    agent: self('the person', { leftOut: 'user' }),
  },
  set: 'none',
  callers: PEOPLE,
  refusals: ['invalid_input', 'forbidden'],
  async run({ store }, input) {
    const person = personMeant(input.agent)
    const next_event_id = await store.lastEventId()
    return { person, settings: await settingsOf(store, person), next_event_id }
  },
  answer: {
    person: aText('user, or user:NAME'),
    settings: SETTINGS_ANSWER,
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawSettings(answer, page),
})

/** The person the settings belong to. Only people have settings. */
export function personMeant(given: string | undefined): string {
  const person = given ?? USER
  if (isPerson(person)) return person
  throw refuse.forbidden`settings are for people, and ${person} is an agent; leave ${callerBy('agent')} out, or name a person`
}

export async function settingsOf(reads: RecordReads, person: string): Promise<Settings> {
  const row = await reads.rowOf(SETTINGS, person)
  return row === null ? FIRST_SETTINGS : pickShown(SETTINGS_ANSWER, row)
}
