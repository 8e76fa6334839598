// How an agent's program is offered an operation over MCP: under a name and with words for a model. What the tool takes
// comes from the operation's fields; an argument says only what is otherwise.

import type { ToolSet } from '../../core/principal.ts'
import type { JsonSchema } from './schema.ts'

export type ToolWords = {
  name: string
  /** Only for an operation that is in every set. */
  set?: ToolSet
  /** When to use the tool, and what comes of it. */
  does: string
  args: Record<string, Arg>
  /** Kept for programs that know it, and listed only for those that ask for it. */
  isOld?: true
  /** Names that programs may still know it by. None of them is listed. */
  formerly?: readonly string[]
  /** The words that an answer begins with, as a text of its own. */
  says?: string
  /** The part of the answer that its text is, alone. The structured content has the rest as well. */
  shows?: string
  /** The words for a call that came back with nothing. */
  nothing?: string
}

export type Arg = {
  /** The operation's field, if its name differs. */
  field?: string
  /** A few words: each is paid for in every conversation. */
  about: string
  required?: true
  /** Taken, but not in the list: few callers need it, and a list has little room. */
  unlisted?: true
  /** Replaces the field's own shape where that says too much or too little to a model. */
  shape?: JsonSchema
  /** The argument says the opposite of its field. */
  opposite?: true
  /** The field's value when the caller leaves the argument out. */
  otherwise?: unknown
  /** `otherwise` counts only beside this field: alone it would mean nothing. */
  otherwiseBeside?: string
  /** A number is accepted in place of its text. */
  orNumber?: true
  /** The argument takes paths, its field objects with more about each. */
  paths?: true
  /** The value true stands for the caller's own name. */
  isMe?: true
  /** The seconds to block: never fewer, never more, whatever is asked. */
  between?: readonly [least: number, most: number]
}

/** Some clients give up after a longer wait: one of those in use does after 60 seconds. */
export const LONGEST_TOOL_WAIT_SECONDS = 45

/**
 * How long a tool blocks: as long as it is asked to, but at least `least` and at most as long as clients
 * wait.
 */
export function secondsToWait(least: number): Pick<Arg, 'shape' | 'between'> {
  return {
    shape: { type: 'integer', maximum: LONGEST_TOOL_WAIT_SECONDS },
    between: [least, LONGEST_TOOL_WAIT_SECONDS],
  }
}

export const TEXTS: JsonSchema = { type: 'array', items: { type: 'string' } }
