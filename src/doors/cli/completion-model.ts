// The model from which the completion script of each shell is made.

import type { FlagSpec } from '../../ops/kit/for-doors.ts'
import type { ProgramName } from './program.ts'

/** The word with which the scripts ask for ids. */
export const IDS = 'ids'

export type Command = { name: string; summary: string; flags: FlagSpec[]; takesThread?: boolean }

/** A word that may follow, and what it leads to. */
export type Offer = { word: string; summary: string }

export type CompletionModel = {
  program: ProgramName
  /** The name of the program, as functions of a shell may be called. */
  id: string
  commands: Command[]
  /** Words that several commands begin with, each with the words that may follow; the first of all is ''. */
  groups: [string, Offer[]][]
  /** The command that prints ids. */
  ask: string
}

export const SHELL_NAMES = ['bash', 'zsh', 'fish'] as const

/** Words of ours stand in single quotes. */
export function quoted(text: string): string {
  return text.replaceAll("'", '’')
}

export const takesFile = ({ value }: FlagSpec) => value.startsWith('PATH')
