// How an operation appears as an MCP tool: a name and descriptions for a model. The tool's arguments come from the
// operation's fields; an argument here states only what differs.

import type { ToolSet } from '../../core/principal.ts'
import type { JsonSchema } from './schema.ts'

export type ToolWords = {
  name: string
  /** Set only for an operation that is in every set. */
  set?: ToolSet
  does: string
  args: Record<string, Arg>
  /** An old tool, kept for programs that use it. Listed only for clients that ask for it. */
  isOld?: true
  /** Former names that programs may still call. Never listed. */
  formerly?: readonly string[]
  /** Text that precedes the answer, as a separate text block. */
  says?: string
  /** The only field of the answer that goes in the text. The structured content has the other fields as well. */
  shows?: string
  nothing?: string
}

export type Arg = {
  /** The operation's field, if its name is different from the argument's. */
  field?: string
  /** Keep it short: every word is paid for in every conversation. */
  about: string
  required?: true
  /** Accepted but not listed, because few callers need it and space in the list is limited. */
  unlisted?: true
  /** Replaces a field schema that says too much or too little for a model. */
  shape?: JsonSchema
  /** The argument is the negation of its field. */
  opposite?: true
  /** The field's value when the caller leaves the argument out. */
  otherwise?: unknown
  /** `otherwise` applies only if this argument is given, because it's meaningless without it. */
  otherwiseBeside?: string
  /** Also accepts the value as a number instead of a string. */
  orNumber?: true
  /** The argument takes paths, while its field takes objects with more details about each. */
  paths?: true
  /** True means the caller's own name. */
  isMe?: true
  /** The seconds to block, clamped to this range. */
  between?: readonly [least: number, most: number]
}

/** Some clients give up if a call takes longer; one of them does so after 60 seconds. */
export const LONGEST_TOOL_WAIT_SECONDS = 45

/** How long a tool blocks: as long as requested, but at least `least` and at most as long as clients wait. */
export function secondsToWait(least: number): Pick<Arg, 'shape' | 'between'> {
  return {
    shape: { type: 'integer', maximum: LONGEST_TOOL_WAIT_SECONDS },
    between: [least, LONGEST_TOOL_WAIT_SECONDS],
  }
}

/** How long a wait blocks. After a timeout, a model calls the tool again. */
export const WAIT_ARG: Arg = {
  ...secondsToWait(1),
  about: 'how long',
  otherwise: LONGEST_TOOL_WAIT_SECONDS,
}

export const TEXTS: JsonSchema = { type: 'array', items: { type: 'string' } }
