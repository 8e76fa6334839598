// The parts of an operation that doors read besides its fields: its answer, how people see it, and what differs at
// one door. Doors check these marks and never an operation's name.

import type { Holds } from './answer.ts'
import type { Page } from './drawing/page.ts'
import type { Operation } from './operation.ts'
import type { ToolWords } from './tool.ts'

export type ForDoors<R extends object> = {
  answer: Holds
  /** Draws the answer for people. Programs read the answer itself, so this text is not an interface. */
  lines: (answer: NoInfer<R>, page: Page) => string | Promise<string>
  tool?: ToolWords
  /** The shell's exit code for an answer that is more than a plain success; undefined leaves it to the door. */
  exit?: (answer: NoInfer<R>) => number | undefined
  /** Flags only the shell has. They affect how an answer is shown, where it goes or who calls, not what is done. */
  shellFlags?: readonly FlagSpec[]
  /** At a terminal, the operation first shows what it's about and asks for confirmation. */
  confirm?: Confirm
  /** The kind of file that `--out` names in this call. */
  outFile?: (raw: Record<string, unknown>) => OutFile
  /** Explains to people at a terminal what takes so long; undefined if this call is quick. */
  takesLong?: (raw: Record<string, unknown>, agent: string | undefined) => string | undefined
  /** The operation has been replaced. It still works and has help, but isn't listed. */
  isDeprecated?: true
  /** The operation reads a file of the caller: over HTTP, the request body. */
  readsFile?: true
}

export type Confirm = {
  /** The field that's filled in from what was shown. If the call already gives it, no question is asked. */
  field: string
  shows: () => Promise<Operation>
  shownWith: (raw: Record<string, unknown>) => Record<string, unknown>
  /**
   * Returns the field's value and the question, derived from the answer shown. If the operation would be refused
   * anyway, throws that refusal instead of asking.
   */
  asks: (answer: object, raw: Record<string, unknown>) => { value: number; question: string }
}

export const YES: FlagSpec = {
  flag: '--yes',
  value: '',
  about: 'at a terminal: show what it is about, and do not ask',
  repeats: false,
}

/** For answers with a payload that people otherwise see formatted. */
export const RAW: FlagSpec = {
  flag: '--raw',
  value: '',
  about: 'show the payload as JSON, whole',
  repeats: false,
}

export type FlagSpec = {
  flag: string
  /** The placeholder that help shows after the flag; empty for a flag without a value. */
  value: string
  about: string
  repeats: boolean
  of?: readonly string[]
}

/** An existing file is appended to, unless it must be new. */
export type OutFile = 'log' | 'mailbox' | 'new mailbox' | 'entries'

/** For operations that an agent's program starts once per session. */
export const SESSION_NAME: FlagSpec = {
  flag: '--as',
  value: 'NAME',
  about:
    'the agent, if neither --agent nor INBOX_AGENT names it; a second session of the same program is NAME-2',
  repeats: false,
}
