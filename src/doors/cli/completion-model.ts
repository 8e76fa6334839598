// The model from which the completion script of each shell is made.

import type { FlagSpec } from '../../ops/kit/for-doors.ts'
import type { ProgramName } from './program.ts'

/** The words with which the scripts ask for what is in the store: each prints values, with a word about each. */
export const ASKED = ['ids', 'agents', 'requests', 'pushes'] as const

export type StoreWord = (typeof ASKED)[number]

/** The values that a word may have: some that are always the same, or what the store holds. */
export type WordValues = { of: readonly string[] } | { ask: StoreWord }

export type Command = {
  name: string
  summary: string
  flags: FlagSpec[]
  /** The values of the word that follows the command. */
  word?: WordValues | undefined
  /** Whether that word is a file or a folder. */
  isFile?: boolean
  /** The values of its flags, by the flag. */
  values: ReadonlyMap<string, WordValues>
}

/** A word that may follow, and what it leads to. */
export type Offer = { word: string; summary: string }

export type CompletionModel = {
  program: ProgramName
  /** The name of the program, as functions of a shell may be called. */
  id: string
  commands: Command[]
  /** Words that several commands begin with, each with the words that may follow; the first of all is ''. */
  groups: [string, Offer[]][]
  /** The command that prints what the store holds. */
  ask: (what: StoreWord) => string
}

export const SHELL_NAMES = ['bash', 'zsh', 'fish'] as const

/** Groups that are commands by themselves, as `push` is, each with the words that make another command of it. */
export function aloneGroups({ commands, groups }: CompletionModel): [Command, string[]][] {
  return groups.flatMap(([group, offers]): [Command, string[]][] => {
    const command = commands.find(({ name }) => name === group)
    return command ? [[command, offers.map(({ word }) => word)]] : []
  })
}

/** Words of ours stand in single quotes. */
export function quoted(text: string): string {
  return text.replaceAll("'", '’')
}

export const takesFile = ({ value }: FlagSpec) => value.startsWith('PATH')
