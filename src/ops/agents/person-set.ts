import {
  isTimeOfDay,
  LONGEST_SEARCH,
  LONGEST_VIEW_NAME,
  MARK_READ,
  MOST_VIEWS,
  type Settings,
  sharedName,
  VIEW_SCREENS,
  type View,
} from '../../core/agents/settings.ts'
import { field, quote, refuse, type Sentence } from '../../core/error.ts'
import { plusSeconds } from '../../core/time.ts'
import { aList, aText, CURSOR } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { choice, type Input, int, json, required, self, takesBack, text } from '../kit/field.ts'
import { mutation, PEOPLE } from '../kit/operation.ts'
import { readInput } from '../kit/read-input.ts'
import { mustKnowPerson } from './known-person.ts'
import { personMeant, settingsOf } from './person-settings.ts'

const ON_OFF = ['on', 'off'] as const
const WEEK_MINUTES = 10_080

const FIELDS = {
  agent: self('the person', { leftOut: 'user' }),
  views: json(
    'all saved views in order, as a JSON list of {"name", "screen", "search"}; replaces the previous list',
  ),
  mark_read: choice(MARK_READ, 'when an open item counts as read'),
  single_keys: choice(ON_OFF, 'whether single-key shortcuts are on'),
  desktop: choice(ON_OFF, 'notify them on the desktop that an agent needs them'),
  sound: choice(ON_OFF, 'notify them with a sound'),
  failures: choice(ON_OFF, 'also notify them of work that failed'),
  quiet_from: takesBack(text('when quiet hours begin, as HH:MM; none removes them', { max: 5 })),
  quiet_to: takesBack(text('when quiet hours end, as HH:MM', { max: 5 })),
  pause_minutes: int('pause notifications for this many minutes; 0 ends a pause', {
    min: 0,
    max: WEEK_MINUTES,
  }),
}

export const personSet = mutation({
  name: 'person set',
  example: 'person set --quiet-from 22:00 --quiet-to 07:00',
  summary: 'Change a person’s settings for the web app. Settings you leave out stay the same.',
  about:
    'People change their own settings. Quiet hours are in the local time of the browser that would notify them, and may cross midnight.',
  fields: FIELDS,
  set: 'none',
  callers: PEOPLE,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check(input) {
    const { agent: _, idempotency_key: __, ...given } = input
    if (Object.keys(given).length === 0)
      throw refuse.invalid_input`nothing is given to set; name a setting, such as ${field('sound')}`
    if (input.views !== undefined) viewsFrom(input.views)
    const { quiet_from: from, quiet_to: to } = input
    for (const [key, value] of Object.entries({ quiet_from: from, quiet_to: to })) {
      if (typeof value === 'string') mustBeTimeOfDay(value, field(key))
    }
    if (typeof from !== typeof to)
      throw refuse.invalid_input`quiet hours have two ends; give ${field('quiet_from')} and ${field('quiet_to')} together`
    if (typeof from === 'string' && from === to)
      throw refuse.invalid_input`quiet hours from ${from} to ${to} never begin; give two different times`
  },
  async run(context, input) {
    const person = personMeant(input.agent)
    return commit(context, { op: 'person set', agent: person, input }, async (tx) => {
      await tx.lockRecords()
      await mustKnowPerson(tx, person)
      const [now, before] = await Promise.all([tx.now(), settingsOf(tx, person)])
      const after = changedBy(before, input, now)
      const changed = differences(before, after)
      const by = { agent: person, at: now }
      const { views, ...rest } = after
      if (changed.includes('views')) {
        tx.recordStoreEvent({ ...by, facts: { type: 'person_views', person_id: person, views } })
      }
      if (changed.some((name) => name !== 'views')) {
        tx.recordStoreEvent({ ...by, facts: { type: 'person_set', person_id: person, ...rest } })
      }
      return { person, changed }
    })
  },
  answer: {
    person: aText('user, or user:NAME'),
    changed: aList(aText('a setting'), 'what changed'),
    next_event_id: CURSOR,
  },
  lines: ({ person, changed }) =>
    changed.length === 0
      ? `${person} had set it so already\n`
      : `${person} has set ${changed.join(', ')}\n`,
})

function changedBy(before: Settings, input: Input<typeof FIELDS>, now: string): Settings {
  const { notify } = before
  const isOn = (word: 'on' | 'off' | undefined, was: boolean) =>
    word === undefined ? was : word === 'on'
  const { quiet_from = notify.quiet_from, quiet_to = notify.quiet_to, pause_minutes } = input
  const pausedUntil = (minutes: number) => (minutes === 0 ? null : plusSeconds(now, minutes * 60))
  return {
    views: input.views === undefined ? before.views : viewsFrom(input.views),
    mark_read: input.mark_read ?? before.mark_read,
    single_keys: isOn(input.single_keys, before.single_keys),
    notify: {
      desktop: isOn(input.desktop, notify.desktop),
      sound: isOn(input.sound, notify.sound),
      failures: isOn(input.failures, notify.failures),
      quiet_from,
      quiet_to,
      paused_until: pause_minutes === undefined ? notify.paused_until : pausedUntil(pause_minutes),
    },
  }
}

/** The names of the settings that differ; notification settings are listed one by one. */
function differences(before: Settings, after: Settings): string[] {
  const flat = ({ notify, ...rest }: Settings) => Object.entries({ ...rest, ...notify })
  const was = new Map<string, unknown>(flat(before))
  return flat(after)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(was.get(name)))
    .map(([name]) => name)
}

const VIEW_FIELDS = {
  name: required(text('what it is called', { max: LONGEST_VIEW_NAME, isLine: true })),
  screen: required(choice(VIEW_SCREENS, 'which screen it shows')),
  search: text('its filters', { max: LONGEST_SEARCH, isLine: true }),
}

export function viewsFrom(words: string): View[] {
  const given: unknown = JSON.parse(words)
  const label = field('views')
  if (!Array.isArray(given))
    throw refuse.invalid_input`${label} ${quote(words)} is not a list of views`
  if (given.length > MOST_VIEWS)
    throw refuse.invalid_input`${label} has ${given.length} views; at most ${MOST_VIEWS} fit, so delete some first`
  const views = given.map(viewFrom)
  const twice = sharedName(views)
  if (twice === undefined) return views
  throw refuse.invalid_input`${label} has two views called ${quote(twice)}; give one of them another name`
}

function viewFrom(given: unknown): View {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw refuse.invalid_input`${field('views')} has ${quote(given)}, which is not a view: {"name", "screen", "search"}`
  const { search, ...rest } = given as Record<string, unknown>
  // A view without filters is a screen in its default state.
  const asked = search === '' ? rest : given
  const view = readInput(VIEW_FIELDS, asked as Record<string, unknown>, { agent: undefined })
  return { name: view.name.trim(), screen: view.screen, search: view.search ?? '' }
}

export function mustBeTimeOfDay(words: string, label: Sentence): void {
  if (isTimeOfDay(words)) return
  throw refuse.invalid_input`${label} ${quote(words)} is not a time of the day, such as 22:00`
}
