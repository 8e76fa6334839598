// What doors read of an operation beside its fields: what it answers, how people see that, and what is special about
// it at one door. A door asks for these marks, and for no operation by its name.

import type { Holds } from './answer.ts'
import type { Page } from './drawing/page.ts'
import type { ToolWords } from './tool.ts'

export type ForDoors<R extends object> = {
  /** What it answers, name by name. */
  answer: Holds
  /** Its answer for people. Programs read the answer itself, so nothing here is an interface. */
  lines: (answer: NoInfer<R>, page: Page) => string | Promise<string>
  /** As agents' programs are offered it. */
  tool?: ToolWords
  /** Flags of the shell alone: they change how an answer is shown or where it goes, not what is done. */
  shellFlags?: readonly FlagSpec[]
  /** What the file of `--out` is to hold, by the words of the call. */
  outFile?: (raw: Record<string, unknown>) => OutFile
  /** It reads a file of the caller's: over HTTP the body of the request. */
  readsFile?: true
}

export type FlagSpec = {
  flag: string
  /** What help shows after it; empty for a flag without a value. */
  value: string
  about: string
  repeats: boolean
  of?: readonly string[]
}

/** A file that exists is continued, unless it is to be new. */
export type OutFile = 'log' | 'mailbox' | 'new mailbox' | 'entries'
