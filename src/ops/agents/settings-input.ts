// Reads what a person sets. Every refusal names the value and says what would do.

import {
  isTimeOfDay,
  LONGEST_SEARCH,
  LONGEST_VIEW_NAME,
  MOST_VIEWS,
  sharedName,
  VIEW_SCREENS,
  type View,
} from '../../core/agents/settings.ts'
import { quote, refuse } from '../../core/error.ts'
import { field, type Sentence, sentence } from '../../core/sentence.ts'
import { choice, required, text } from '../kit/field.ts'
import { readInput } from '../kit/read-input.ts'

const VIEW_FIELDS = {
  name: required(text('what it is called', { max: LONGEST_VIEW_NAME, isLine: true })),
  screen: required(choice(VIEW_SCREENS, 'which screen it shows')),
  search: text('its filters', { max: LONGEST_SEARCH, isLine: true }),
}

/** The views in JSON that was read as such before. */
export function viewsFrom(words: string): View[] {
  const given: unknown = JSON.parse(words)
  const label = field('views')
  if (!Array.isArray(given)) {
    throw refuse('invalid_input', sentence`${label} ${quote(words)} is not a list of views`)
  }
  if (given.length > MOST_VIEWS) {
    throw refuse(
      'invalid_input',
      sentence`${label} has ${given.length} views; at most ${MOST_VIEWS} fit, so delete some first`,
    )
  }
  const views = given.map(viewFrom)
  const twice = sharedName(views)
  if (twice === undefined) return views
  throw refuse(
    'invalid_input',
    sentence`${label} has two views called ${quote(twice)}; give one of them another name`,
  )
}

function viewFrom(given: unknown): View {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw refuse(
      'invalid_input',
      sentence`${field('views')} has ${quote(given)}, which is not a view: {"name", "screen", "search"}`,
    )
  }
  const { search, ...rest } = given as Record<string, unknown>
  // A view without filters is a screen as it opens.
  const asked = search === '' ? rest : given
  const view = readInput(VIEW_FIELDS, asked as Record<string, unknown>, { agent: undefined })
  return { name: view.name.trim(), screen: view.screen, search: view.search ?? '' }
}

export function mustBeTimeOfDay(words: string, label: Sentence): void {
  if (isTimeOfDay(words)) return
  throw refuse(
    'invalid_input',
    sentence`${label} ${quote(words)} is not a time of the day, such as 22:00`,
  )
}
