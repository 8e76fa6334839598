// The record of a person.

import { PERSON } from '../fact-shape.ts'
import type { StoreRecord } from '../record.ts'
import type { Instant } from '../time.ts'

export type Person = { person_id: string; added_at: Instant }

export type PersonFacts = { type: 'person_add'; person_id: string }

export const PEOPLE: StoreRecord<Person, PersonFacts> = {
  table: 'people',
  one: 'person',
  key: 'person_id',
  columns: { person_id: 'plain', added_at: 'plain' },
  events: {
    person_add: {
      facts: { person_id: PERSON },
      makes: ({ person_id }, { at }) => ({ person_id, added_at: at }),
      // Adding a person twice is the same as adding them once.
      keeps: ['added_at'],
    },
  },
}
