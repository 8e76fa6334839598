import type { StoreRecord, WithIds } from '../record.ts'
import { type FactsOf, ID, INSTANT, NAME, nullOr, pick, type RowFrom, word } from '../shape.ts'
import { isRequirement, isRequirementHolder } from './requirement.ts'

const FIELDS = {
  requirement_id: ID,
  /** An agent's name, or `role:ROLE`. */
  applies_to: word('an agent or a role', isRequirementHolder),
  /** A type of request, or `tool:` with a pattern. */
  requires: word('a type of request or a tool', isRequirement),
  added_by: NAME,
  added_at: INSTANT,
  /** Null while it is in effect. */
  removed_at: nullOr(INSTANT),
}
export type Requirement = RowFrom<typeof FIELDS>

const FACTS = {
  requirement_add: pick(FIELDS, 'requirement_id', 'applies_to', 'requires'),
  requirement_remove: pick(FIELDS, 'requirement_id'),
}
export type RequirementFacts = FactsOf<typeof FACTS>

export const REQUIREMENTS: StoreRecord<Requirement, RequirementFacts> & WithIds<'requirement'> = {
  table: 'requirements',
  one: 'requirement',
  key: 'requirement_id',
  prefix: 'rqm',
  fields: FIELDS,
  facts: FACTS,
  events: {
    requirement_add: {
      makes: (facts, { agent, at }) => ({ ...facts, added_by: agent, added_at: at }),
    },
    requirement_remove: {
      changes: (_, { at }) => ({ removed_at: at }),
    },
  },
  mustFollow(before, { type }) {
    if (type === 'requirement_remove' && before !== null && before.removed_at !== null) {
      throw new Error('a requirement that was removed is removed again')
    }
  },
  admit(facts, { rows }) {
    if (facts.type !== 'requirement_add') return
    for (const other of rows(REQUIREMENTS).values()) {
      const isSame = other.applies_to === facts.applies_to && other.requires === facts.requires
      if (isSame && other.removed_at === null) {
        throw new Error(`${other.requirement_id} requires the same of the same`)
      }
    }
  },
}
