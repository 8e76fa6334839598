// Finds the names that an entry mentions with @, and the priority they give it. Works the same for entries from all
// sources.

import { USER } from '../agents/agent.ts'

const PATTERN = /@([a-zA-Z][a-zA-Z0-9_-]*)/g
/** A name after @, except as part of an email address, a path or a package name. */
const CALLED = /(?<![\w@./-])@([a-zA-Z][a-zA-Z0-9_-]*)(?![\w/@-]|\.\w)/g
const URGENT = /\b(urgent|asap|blocked|critical)\b/i

export const ENTRY_PRIORITIES = ['normal', 'high'] as const
export type EntryPriority = (typeof ENTRY_PRIORITIES)[number]

/** A range of a text: start offset and end offset (exclusive). */
export type TextRange = readonly [from: number, until: number]

export type MentionRules = {
  /** The names that can be mentioned: those of the members, and `user`. */
  names: readonly string[]
  /** The writer's name. Writers can't mention themselves. */
  self?: string | undefined
  /**
   * Only mentions inside these ranges count, because inserted values must not mention anyone. If absent, all mentions
   * count.
   */
  within?: readonly TextRange[] | undefined
}

/** The names a text mentions, once each, in order. */
export function mentionsIn(text: string, { names, self, within }: MentionRules): string[] {
  const isOther = (name: string) => name !== self && names.includes(name)
  return [...new Set(namesIn(text, PATTERN, within).filter(isOther))]
}

/** Mentioned names that don't exist, once each. They may be misspelled. */
export function strangersIn(text: string, { names, self, within }: MentionRules): string[] {
  const isNobody = (name: string) => name !== self && !names.includes(name)
  return [...new Set(namesIn(text, CALLED, within).filter(isNobody))]
}

function namesIn(text: string, pattern: RegExp, within: MentionRules['within']): string[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const until = match.index + match[0].length
    const counts = within?.some(([first, last]) => match.index >= first && until <= last) ?? true
    return counts ? [match[1] as string] : []
  })
}

/** High if several members are mentioned, because they have to coordinate, or if the text says it's urgent. */
export function priorityOf(text: string, mentions: readonly string[]): EntryPriority {
  return mentions.length > 1 || URGENT.test(text) ? 'high' : 'normal'
}

/** The names an entry can mention. No agent can be called `user`. */
export function mentionable(members: readonly { name: string }[]): string[] {
  return [...members.map(({ name }) => name), USER]
}
