import type { StoreRecord } from '../record.ts'
import { type FactsOf, INSTANT, PERSON, pick, type RowFrom } from '../shape.ts'

const FIELDS = { person_id: PERSON, added_at: INSTANT }
export type Person = RowFrom<typeof FIELDS>

const FACTS = { person_add: pick(FIELDS, 'person_id') }
export type PersonFacts = FactsOf<typeof FACTS>

export const PEOPLE: StoreRecord<Person, PersonFacts> = {
  table: 'people',
  one: 'person',
  key: 'person_id',
  fields: FIELDS,
  facts: FACTS,
  events: {
    person_add: {
      makes: ({ person_id }, { at }) => ({ person_id, added_at: at }),
      // Adding a person twice is the same as adding them once.
      keeps: ['added_at'],
    },
  },
}
