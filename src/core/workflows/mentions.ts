// Mentions: the names an entry addresses with @, and the priority they give it. Works the same wherever the entry
// comes from.

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
  /** The names that can be mentioned: the members and the person. */
  names: readonly string[]
  /** The writer's name. Writers can't mention themselves. */
  self?: string | undefined
  /**
   * Only mentions inside these ranges count, because inserted values must not mention anyone. Absent means
   * everywhere.
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

/** High if several are mentioned, because they need to coordinate, or if the text says it's urgent. */
export function priorityOf(text: string, mentions: readonly string[]): EntryPriority {
  return mentions.length > 1 || URGENT.test(text) ? 'high' : 'normal'
}

/** The names an entry can mention. No agent can have the person's name. */
export function mentionable(members: readonly { name: string }[]): string[] {
  return [...members.map(({ name }) => name), USER]
}
