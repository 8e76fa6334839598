// The settings of a person: what follows them from browser to browser. Each has a value from the beginning, so nobody
// has to set anything.

import type { Instant } from '../time.ts'

/** The screens of the web app that have filters, so that a view of them can be kept. */
export const VIEW_SCREENS = ['inbox', 'approvals', 'threads', 'history'] as const
export type ViewScreen = (typeof VIEW_SCREENS)[number]

/** A screen with its filters, under a name. `search` is the part of its address behind the question mark. */
export type View = { name: string; screen: ViewScreen; search: string }

export const MOST_VIEWS = 30
export const LONGEST_VIEW_NAME = 60
export const LONGEST_SEARCH = 2048

/** When what is open counts as read. */
export const MARK_READ = ['at once', 'after a moment', 'by hand'] as const
export type MarkRead = (typeof MARK_READ)[number]

/** How a person is told that an agent needs them. */
export type NotifySettings = {
  desktop: boolean
  sound: boolean
  /** Whether they are also told of work that failed. */
  failures: boolean
  /** Times of the day by the person's own clock, as HH:MM; both, or neither. They may lie across midnight. */
  quiet_from: string | null
  quiet_to: string | null
  paused_until: Instant | null
}

export type Settings = {
  views: View[]
  notify: NotifySettings
  mark_read: MarkRead
  /** Whether keys without Ctrl or Cmd do something. */
  single_keys: boolean
}

export type PersonSettings = { person_id: string; updated_at: Instant } & Settings

export const FIRST_SETTINGS: Settings = {
  views: [],
  notify: {
    ...{ desktop: false, sound: false, failures: false },
    ...{ quiet_from: null, quiet_to: null, paused_until: null },
  },
  mark_read: 'after a moment',
  single_keys: true,
}

export function isTimeOfDay(words: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(words)
}

/** The first name that two views have. */
export function sharedName(views: readonly View[]): string | undefined {
  const names = views.map(({ name }) => name)
  return names.find((name, at) => names.indexOf(name) !== at)
}
/** Whether quiet hours hold at this time of the day. */
export function isQuiet(
  { quiet_from: from, quiet_to: to }: Pick<NotifySettings, 'quiet_from' | 'quiet_to'>,
  timeOfDay: string,
): boolean {
  if (from === null || to === null) return false
  return from < to ? timeOfDay >= from && timeOfDay < to : timeOfDay >= from || timeOfDay < to
}
