// A channel as the text of channel.md: for each entry a head with its time (UTC) and writer, then its text.
//
// (1) No entry can fake a head: a line that looks like one, with any indentation, gets a backslash in front, which
//     Markdown doesn't show. A line that already has the backslash gets another one, so that different texts stay
//     different.
// (2) Everything that breaks a line becomes a line break, and control characters are escaped, so printing the text
//     can't overwrite or hide a head.

import { visible } from '../error.ts'
import type { Instant } from '../time.ts'

export type DrawnEntry = {
  /** Its place in the channel, from 1. */
  seq: number
  timestamp: Instant
  from: string
  message: string
}

const BREAKS = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const OBEYED = /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu
/** Zero-width characters are ignored: a fake head behind one would look real. */
const HEAD_LIKE =
  /^((?:(?!\n)[\s\p{DI}\p{Cf}])*)(\\*#(?:(?!\n)[#\s\p{DI}\p{Cf}])*\d{1,2}[\p{DI}\p{Cf}]*:[\p{DI}\p{Cf}]*\d)/gmu

/** An empty line separates entries. */
export function drawEntry({ seq, timestamp, from, message }: DrawnEntry): string {
  const words = message
    .replace(BREAKS, '\n')
    .replace(OBEYED, visible)
    .replace(HEAD_LIKE, '$1\\$2')
    .replace(/\n+$/, '')
  return `${seq === 1 ? '' : '\n'}### ${timestamp.slice(11, 19)} [${from}]\n${words}\n`
}
