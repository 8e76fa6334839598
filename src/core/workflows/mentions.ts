// Mentions: the names that an entry calls with @, and how urgent that makes it. Pure, and the same wherever an entry
// comes from.

import { USER } from '../agents/agent.ts'

const PATTERN = /@([a-zA-Z][a-zA-Z0-9_-]*)/g
/** The same where it stands by itself: no part of an address, a path or a package. */
const CALLED = /(?<![\w@./-])@([a-zA-Z][a-zA-Z0-9_-]*)(?![\w/@-]|\.\w)/g
const URGENT = /\b(urgent|asap|blocked|critical)\b/i

export const ENTRY_PRIORITIES = ['normal', 'high'] as const
export type EntryPriority = (typeof ENTRY_PRIORITIES)[number]

/** A part of a text, from the first letter to the one behind its last. */
export type TextRange = readonly [from: number, until: number]

export type MentionRules = {
  /** The names that can be mentioned: those of the members, and the person. */
  names: readonly string[]
  /** The writer by that name, who is never mentioned by their own words. */
  self?: string | undefined
  /** Only what stands wholly in these parts counts: a value from outside mentions nobody. Absent means all of the text. */
  within?: readonly TextRange[] | undefined
}

/** The names that a text mentions, once each, in the order in which they come. */
export function mentionsIn(text: string, { names, self, within }: MentionRules): string[] {
  const isOther = (name: string) => name !== self && names.includes(name)
  return [...new Set(namesIn(text, PATTERN, within).filter(isOther))]
}

/** The names that a text calls and that are nobody's, once each. Whoever wrote them may have misspelt one. */
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

/** Several mentions call for coordination, and some words say themselves that it is urgent. */
export function priorityOf(text: string, mentions: readonly string[]): EntryPriority {
  return mentions.length > 1 || URGENT.test(text) ? 'high' : 'normal'
}

/** The names that an entry of these members can mention. The name of the person is no agent's. */
export function mentionable(members: readonly { name: string }[]): string[] {
  return [...members.map(({ name }) => name), USER]
}
