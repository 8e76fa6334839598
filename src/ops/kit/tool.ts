// How an agent's program is offered an operation over MCP: under a name and with words for a model. What the tool takes
// comes from the operation's fields; an argument says only what is otherwise.

import type { ToolSet } from '../../core/principal.ts'
import type { JsonSchema } from './schema.ts'

export type ToolWords = {
  name: string
  /** Only of an operation that is in every set. */
  set?: ToolSet
  /** When to use it, and what comes of it. */
  does: string
  args: Record<string, Arg>
  /** What to say when the call came back empty-handed. */
  nothing?: string
}

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
  /** Only beside this field does `otherwise` count: alone it would mean nothing. */
  otherwiseBeside?: string
  /** A number will do for its text. */
  orNumber?: true
  /** It takes paths, its field files with more about each. */
  paths?: true
  /** True stands for the caller's own name. */
  isMe?: true
  /** Seconds to block: never fewer, never more, whatever is asked. */
  between?: readonly [least: number, most: number]
}

/** Longer, and some clients have given up: one of those in use does after 60 seconds. */
export const LONGEST_TOOL_WAIT_SECONDS = 45

/** How long a tool blocks: what it is asked for, but neither shorter than `least` nor longer than clients wait. */
export function secondsToWait(least: number): Pick<Arg, 'shape' | 'between'> {
  return {
    shape: { type: 'integer', maximum: LONGEST_TOOL_WAIT_SECONDS },
    between: [least, LONGEST_TOOL_WAIT_SECONDS],
  }
}

export const TEXTS: JsonSchema = { type: 'array', items: { type: 'string' } }
