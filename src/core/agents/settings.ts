// A person's settings, which follow them from browser to browser. Every setting has a default, so no one has to set
// anything.

import type { RowFrom, ShapeValue } from '../shape.ts'
import type { NOTIFY, SETTINGS_FIELDS, VIEW } from './settings-record.ts'

/** The screens of the web app that have filters, so their views can be saved. */
export const VIEW_SCREENS = ['inbox', 'approvals', 'threads', 'history'] as const
export type ViewScreen = (typeof VIEW_SCREENS)[number]

export type View = ShapeValue<typeof VIEW>

export const MOST_VIEWS = 30
export const LONGEST_VIEW_NAME = 60
export const LONGEST_SEARCH = 2048

/** When an open item counts as read. */
export const MARK_READ = ['at once', 'after a moment', 'by hand'] as const

/** How a person is notified that an agent needs them. */
export type NotifySettings = ShapeValue<typeof NOTIFY>
export type PersonSettings = RowFrom<typeof SETTINGS_FIELDS>
export type Settings = Omit<PersonSettings, 'person_id' | 'updated_at'>

export const FIRST_SETTINGS: Settings = {
  views: [],
  notify: {
    desktop: false,
    sound: false,
    failures: false,
    quiet_from: null,
    quiet_to: null,
    paused_until: null,
  },
  mark_read: 'after a moment',
  single_keys: true,
}

export function isTimeOfDay(words: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(words)
}

export function sharedName(views: readonly View[]): string | undefined {
  const names = views.map(({ name }) => name)
  return names.find((name, at) => names.indexOf(name) !== at)
}
/** Whether this time of day falls within the quiet hours. */
export function isQuiet(
  { quiet_from: from, quiet_to: to }: Pick<NotifySettings, 'quiet_from' | 'quiet_to'>,
  timeOfDay: string,
): boolean {
  if (from === null || to === null) return false
  return from < to ? timeOfDay >= from && timeOfDay < to : timeOfDay >= from || timeOfDay < to
}
