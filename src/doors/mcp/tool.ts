// What a tool is: a name and words for a model, and which operation stands behind it. The tables in
// tools-*.ts are data; everything a door needs to list and to call a tool is read from them.

import type { ToolSet } from '../../core/principal.ts'
import type { OperationName } from '../../ops/catalogue.ts'
import type { JsonSchema } from '../../ops/kit/schema.ts'

export type Arg = {
  /** The operation's field, where it is called otherwise. */
  field?: string
  /** Only what its name does not say: every word is paid for in every conversation. */
  about?: string
  required?: true
  /** Where the field's own shape says too much or too little to a model. */
  shape?: JsonSchema
  /** It says the opposite of its field. */
  opposite?: true
  /** For the operation when the caller says nothing. */
  otherwise?: unknown
  /** A number will do for its text. */
  orNumber?: true
  /** It takes paths, its field files with more about each. */
  paths?: true
  /** True stands for the caller's own name. */
  isMe?: true
  /** Seconds to block: never fewer, never more, whatever is asked. */
  between?: readonly [least: number, most: number]
}

export type Tool = {
  name: string
  set: ToolSet
  op: OperationName
  /** When to use it, and what comes of it. */
  does: string
  args: Record<string, Arg>
  /** What to say when the call came back empty-handed. */
  nothing?: string
}

/** Longer, and some clients have given up: one of those in use does after 60 seconds. */
export const LONGEST_TOOL_WAIT_SECONDS = 45
