import { aText, CURSOR } from '../kit/answer.ts'
import { self } from '../kit/field.ts'
import { PEOPLE, query } from '../kit/operation.ts'
import { personMeant, SETTINGS_ANSWER, settingsOf } from './settings-view.ts'

export const personSettings = query({
  name: 'person settings',
  example: 'person settings',
  summary: 'Show how a person has set the web app: saved views, notifications, keys.',
  about: 'Whoever has set nothing has what everybody begins with.',
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
  lines: async (answer, page) => (await import('./settings-drawing.ts')).drawSettings(answer, page),
})
