// Measures a document before it is validated or run. A document of a few hundred characters can expand to millions of
// fields through nested fragments, aliases and depth. Each part is therefore counted as many times as it would run,
// until the limit is reached.

import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { refuse } from '../../../core/error.ts'

/** Large enough for the introspection query; our schema is four levels deep. */
export const LIMITS = {
  letters: 16_384,
  tokens: 2_000,
  depth: 16,
  /** Fields, fragments and conditions, counted every time they occur. */
  selections: 500,
  aliases: 30,
  /** The top-level fields, each of which is a separate call. */
  roots: 20,
} as const

type DocumentCount = { selections: number; aliases: number }

export function mustBeModest(document: DocumentNode): void {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const one of document.definitions) {
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one)
  }
  const count: DocumentCount = { selections: 0, aliases: 0 }
  for (const one of document.definitions) {
    // An unused fragment is validated too, so it counts.
    if (one.kind === Kind.FRAGMENT_DEFINITION) measure(one.selectionSet, fragments, count)
    if (one.kind !== Kind.OPERATION_DEFINITION) continue
    if (one.operation === 'subscription')
      throw refuse.invalid_input`there are no subscriptions; follow events at /api/events instead`
    for (const { variable } of one.variableDefinitions ?? []) mustBeOrdinary(variable.name.value)
    const roots = measure(one.selectionSet, fragments, count)
    if (roots > LIMITS.roots) {
      throw tooMuch(`asks for ${roots} things at once; at most ${LIMITS.roots} are done`)
    }
  }
}

/** Counts a selection set and its descendants. Returns the number of fields in the set itself. */
function measure(
  set: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  count: DocumentCount,
  above: { depth: number; spread: readonly string[] } = { depth: 1, spread: [] },
): number {
  const { depth, spread } = above
  if (depth > LIMITS.depth) {
    throw tooMuch(`is nested more than ${LIMITS.depth} levels deep; ask for less at once`)
  }
  let fields = 0
  for (const one of set.selections) {
    count.selections += 1
    if (count.selections > LIMITS.selections) {
      throw tooMuch(`has more than ${LIMITS.selections} fields, fragments counted as often as met`)
    }
    if (one.kind === Kind.FIELD) {
      fields += 1
      if (one.alias !== undefined) count.aliases += 1
      if (count.aliases > LIMITS.aliases) {
        throw tooMuch(`has more than ${LIMITS.aliases} aliases; send several requests`)
      }
      const below = { depth: depth + 1, spread }
      if (one.selectionSet !== undefined) measure(one.selectionSet, fragments, count, below)
    } else if (one.kind === Kind.INLINE_FRAGMENT) {
      fields += measure(one.selectionSet, fragments, count, above)
    } else {
      const name = one.name.value
      if (spread.includes(name)) throw tooMuch(`has a fragment ${name} that spreads itself`)
      const fragment = fragments.get(name)
      if (fragment === undefined) continue
      const inside = { depth, spread: [...spread, name] }
      fields += measure(fragment.selectionSet, fragments, count, inside)
    }
  }
  return fields
}

/** A variable named __proto__ would become the prototype of the others. */
function mustBeOrdinary(variable: string): void {
  if (!variable.startsWith('__')) return
  throw refuse.invalid_input`$${variable} begins with __, which is reserved; call the variable something else`
}

function tooMuch(why: string) {
  return refuse.invalid_input`the document ${why}`
}
