// The record of a person's settings. Views are long and change seldom, so they have an event of their own: whoever
// pauses for an hour does not write all of them into the log again.

import { choice, FLAG, INSTANT, listOf, nullOr, object, PERSON, text, word } from '../fact-shape.ts'
import type { StoreRecord } from '../record.ts'
import { USER } from './agent.ts'
import { PEOPLE } from './person-record.ts'
import {
  FIRST_SETTINGS,
  isTimeOfDay,
  LONGEST_SEARCH,
  LONGEST_VIEW_NAME,
  MARK_READ,
  MOST_VIEWS,
  type NotifySettings,
  type PersonSettings,
  sharedName,
  VIEW_SCREENS,
  type View,
} from './settings.ts'

export type SettingsFacts =
  | { type: 'person_views'; person_id: string; views: View[] }
  | ({ type: 'person_set'; person_id: string } & Omit<
      PersonSettings,
      'person_id' | 'views' | 'updated_at'
    >)

const TIME_OF_DAY = nullOr(word('a time of the day, as HH:MM', isTimeOfDay))

export const SETTINGS: StoreRecord<PersonSettings, SettingsFacts> = {
  table: 'person_settings',
  one: 'settings',
  key: 'person_id',
  columns: {
    person_id: 'plain',
    views: { json: 'views_json' },
    notify: { json: 'notify_json' },
    mark_read: 'plain',
    single_keys: 'flag',
    updated_at: 'plain',
  },
  events: {
    person_views: {
      facts: {
        person_id: PERSON,
        views: listOf(
          object<View>({
            name: text({ max: LONGEST_VIEW_NAME }),
            screen: choice(VIEW_SCREENS),
            search: text({ max: LONGEST_SEARCH, orEmpty: true }),
          }),
          0,
        ),
      },
      makes: ({ person_id, views }, { at }) => ({
        ...FIRST_SETTINGS,
        person_id,
        views,
        updated_at: at,
      }),
      keeps: ['notify', 'mark_read', 'single_keys'],
    },
    person_set: {
      facts: {
        person_id: PERSON,
        notify: object<NotifySettings>({
          desktop: FLAG,
          sound: FLAG,
          failures: FLAG,
          quiet_from: TIME_OF_DAY,
          quiet_to: TIME_OF_DAY,
          paused_until: nullOr(INSTANT),
        }),
        mark_read: choice(MARK_READ),
        single_keys: FLAG,
      },
      makes: ({ type: _, ...fields }, { at }) => ({ ...fields, views: [], updated_at: at }),
      keeps: ['views'],
    },
  },
  admit(facts, { agent, rows }) {
    const { person_id } = facts
    if (agent !== person_id) throw new Error(`${agent} sets what is ${person_id}'s`)
    if (person_id !== USER && !rows(PEOPLE).has(person_id)) {
      throw new Error(`nobody added ${person_id}`)
    }
    if (facts.type === 'person_views') {
      const { views } = facts
      if (views.length > MOST_VIEWS) throw new Error(`it has more than ${MOST_VIEWS} views`)
      const twice = sharedName(views)
      if (twice !== undefined) throw new Error(`two of its views are called ${twice}`)
      return
    }
    const { quiet_from, quiet_to } = facts.notify
    if ((quiet_from === null) !== (quiet_to === null)) {
      throw new Error('its quiet hours have one end')
    }
    if (quiet_from !== null && quiet_from === quiet_to) {
      throw new Error('its quiet hours never begin')
    }
  },
}
