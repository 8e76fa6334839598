// A text that is too long for an entry: its beginning stands in the channel and says where the rest is.

import { ENTRY_LETTERS } from './channel.ts'

/** A cut at a line's end reads better, if there is one so near. */
const NEAR = 400

export function cutLong(text: string, file: string): { shown: string; rest: string } {
  const tail = (left: number) => `\n\n[the rest, ${left} letters, is in the document ${file}]`
  const room = ENTRY_LETTERS - tail(text.length).length
  const line = text.lastIndexOf('\n', room)
  const wanted = line > room - NEAR ? line : room
  // Half of a pair of letters is none.
  const at = text.slice(0, wanted).isWellFormed() ? wanted : wanted - 1
  const rest = text.slice(at).replace(/^\n/, '')
  return { shown: `${text.slice(0, at)}${tail(rest.length)}`, rest }
}
