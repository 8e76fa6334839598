// Cuts a text that's too long for an entry: the entry has its beginning and says where the rest is.

import { ENTRY_LETTERS } from './channel.ts'

/** Cut at the end of a line if there is one this near, because it reads better. */
const NEAR = 400

export function cutLong(text: string, file: string): { shown: string; rest: string } {
  const tail = (left: number) => `\n\n[the rest, ${left} letters, is in the document ${file}]`
  const room = ENTRY_LETTERS - tail(text.length).length
  const line = text.lastIndexOf('\n', room)
  const wanted = line > room - NEAR ? line : room
  // Don't split a surrogate pair.
  const at = text.slice(0, wanted).isWellFormed() ? wanted : wanted - 1
  const rest = text.slice(at).replace(/^\n/, '')
  return { shown: `${text.slice(0, at)}${tail(rest.length)}`, rest }
}
