// The record of a person's settings. Views are long and rarely change, so they have their own event: pausing
// notifications for an hour doesn't write all of them into the log again.

import type { StoreRecord } from '../record.ts'
import {
  choice,
  type FactsOf,
  FLAG,
  INSTANT,
  listOf,
  nullOr,
  object,
  PERSON,
  pick,
  text,
  word,
} from '../shape.ts'
import { USER } from './agent.ts'
import { PEOPLE } from './person-record.ts'
import {
  FIRST_SETTINGS,
  isTimeOfDay,
  LONGEST_SEARCH,
  LONGEST_VIEW_NAME,
  MARK_READ,
  MOST_VIEWS,
  type PersonSettings,
  sharedName,
  VIEW_SCREENS,
} from './settings.ts'

export const VIEW = object({
  name: text({ max: LONGEST_VIEW_NAME }),
  screen: choice(VIEW_SCREENS),
  /** The query string of the view's URL, without the question mark. */
  search: text({ max: LONGEST_SEARCH, orEmpty: true }),
})

const TIME_OF_DAY = nullOr(word('a time of the day, as HH:MM', isTimeOfDay))

export const NOTIFY = object({
  desktop: FLAG,
  sound: FLAG,
  /** Whether failed work triggers a notification as well. */
  failures: FLAG,
  /** Quiet hours in the person's local time, as HH:MM. Set both or neither. They may span midnight. */
  quiet_from: TIME_OF_DAY,
  quiet_to: TIME_OF_DAY,
  paused_until: nullOr(INSTANT),
})

export const SETTINGS_FIELDS = {
  person_id: PERSON,
  views: listOf(VIEW, 0),
  notify: NOTIFY,
  mark_read: choice(MARK_READ),
  /** Whether shortcuts without Ctrl or Cmd are on. */
  single_keys: FLAG,
  updated_at: INSTANT,
}

const FACTS = {
  person_views: pick(SETTINGS_FIELDS, 'person_id', 'views'),
  person_set: pick(SETTINGS_FIELDS, 'person_id', 'notify', 'mark_read', 'single_keys'),
}
export type SettingsFacts = FactsOf<typeof FACTS>

export const SETTINGS: StoreRecord<PersonSettings, SettingsFacts> = {
  table: 'person_settings',
  one: 'settings',
  key: 'person_id',
  fields: SETTINGS_FIELDS,
  facts: FACTS,
  events: {
    person_views: {
      makes: (facts, { at }) => ({ ...FIRST_SETTINGS, ...facts, updated_at: at }),
      keeps: ['notify', 'mark_read', 'single_keys'],
    },
    person_set: {
      makes: (facts, { at }) => ({ ...facts, views: [], updated_at: at }),
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
