// The record of a requirement: what an agent must ask people for (requirement.ts).

import { ID, word } from '../fact-shape.ts'
import type { StoreRecord } from '../record.ts'
import type { Instant } from '../time.ts'
import { isRequirement, isRequirementHolder } from './requirement.ts'

export type Requirement = {
  requirement_id: string
  /** An agent's name, or `role:ROLE`. */
  applies_to: string
  /** A type of request, or `tool:` with a pattern. */
  requires: string
  added_by: string
  added_at: Instant
  /** Null while it holds. */
  removed_at: Instant | null
}

export type RequirementFacts =
  | ({ type: 'requirement_add' } & Pick<Requirement, 'requirement_id' | 'applies_to' | 'requires'>)
  | { type: 'requirement_remove'; requirement_id: string }

export const REQUIREMENTS: StoreRecord<Requirement, RequirementFacts> & {
  one: 'requirement'
  prefix: string
} = {
  table: 'requirements',
  one: 'requirement',
  key: 'requirement_id',
  prefix: 'rqm',
  columns: {
    requirement_id: 'plain',
    applies_to: 'plain',
    requires: 'plain',
    added_by: 'plain',
    added_at: 'plain',
    removed_at: 'plain',
  },
  events: {
    requirement_add: {
      facts: {
        requirement_id: ID,
        applies_to: word('an agent or a role', isRequirementHolder),
        requires: word('a type of request or a tool', isRequirement),
      },
      makes: ({ type: _, ...fields }, { agent, at }) => ({
        ...fields,
        added_by: agent,
        added_at: at,
        removed_at: null,
      }),
    },
    requirement_remove: {
      facts: { requirement_id: ID },
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
