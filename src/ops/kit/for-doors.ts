// The parts of an operation that doors read beside its fields: its answer, how people see that, and what is
// special about it at one door. A door asks for these marks, and for no operation by its name.

import type { Holds } from './answer.ts'
import type { Page } from './drawing/page.ts'
import type { Operation } from './operation.ts'
import type { ToolWords } from './tool.ts'

export type ForDoors<R extends object> = {
  /** The answer, name by name. */
  answer: Holds
  /** Draws the answer for people. Programs read the answer itself, so nothing here is an interface. */
  lines: (answer: NoInfer<R>, page: Page) => string | Promise<string>
  /** The operation as agents' programs are offered it. */
  tool?: ToolWords
  /** The exit code of the shell, where an answer is more than a success; undefined leaves it to the door. */
  exit?: (answer: NoInfer<R>) => number | undefined
  /** Flags of the shell alone: how an answer is shown, where it goes, or who calls; not what is done. */
  shellFlags?: readonly FlagSpec[]
  /** The operation first shows people at a terminal what it is about, and asks them. */
  confirm?: Confirm
  /** The kind of file that `--out` names, by the words of the call. */
  outFile?: (raw: Record<string, unknown>) => OutFile
  /** Says to people at a terminal what takes so long, by the words of the call; undefined if that call is quick. */
  takesLong?: (raw: Record<string, unknown>, agent: string | undefined) => string | undefined
  /** Something else does this now: it works and explains itself, but no list names it. */
  isDeprecated?: true
  /** The operation reads a file of the caller's: over HTTP the body of the request. */
  readsFile?: true
}

export type Confirm = {
  /** The field that is filled in from what was shown. Nobody is asked who gives it. */
  field: string
  /** The operation whose answer is shown. */
  shows: () => Promise<Operation>
  shownWith: (raw: Record<string, unknown>) => Record<string, unknown>
  /** The value of the field, and the question, by the answer that was shown. What would be refused anyway is not asked. */
  asks: (answer: object, raw: Record<string, unknown>) => { value: number; question: string }
}

/** For operations that ask first. */
export const YES: FlagSpec = {
  flag: '--yes',
  value: '',
  about: 'at a terminal: show what it is about, and do not ask',
  repeats: false,
}

/** For answers that hold something which people otherwise see in a way of ours. */
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

/** A file that exists is continued, unless it is to be new. */
export type OutFile = 'log' | 'mailbox' | 'new mailbox' | 'entries'

/** For operations that an agent's program starts in each of its sessions. */
export const SESSION_NAME: FlagSpec = {
  flag: '--as',
  value: 'NAME',
  about:
    'the agent, if neither --agent nor INBOX_AGENT names it; a second session of the same program is NAME-2',
  repeats: false,
}
