// A channel as the text of channel.md: for each entry a head with its time (UTC) and its writer, then its words.
//
// (1) No words make a head: a line that looks like one, in any indentation, has a backslash before it, which Markdown
//     does not show. A line that has the backslash already gets another, so that no two texts look alike.
// (2) Whatever breaks a line is a line break here, and what a terminal would obey is written out: a text that is only
//     printed can neither overwrite a head nor hide one.

import { visible } from '../error.ts'
import type { Instant } from '../time.ts'

export type DrawnEntry = {
  /** The place in the channel, from 1. */
  seq: number
  timestamp: Instant
  from: string
  message: string
}

const BREAKS = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const OBEYED = /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu
/** Letters that take no room count as none: a head behind one would look real. */
const HEAD_LIKE =
  /^((?:(?!\n)[\s\p{DI}\p{Cf}])*)(\\*#(?:(?!\n)[#\s\p{DI}\p{Cf}])*\d{1,2}[\p{DI}\p{Cf}]*:[\p{DI}\p{Cf}]*\d)/gmu

/** Entries are separated by an empty line. */
export function drawEntry({ seq, timestamp, from, message }: DrawnEntry): string {
  const words = message
    .replace(BREAKS, '\n')
    .replace(OBEYED, visible)
    .replace(HEAD_LIKE, '$1\\$2')
    .replace(/\n+$/, '')
  return `${seq === 1 ? '' : '\n'}### ${timestamp.slice(11, 19)} [${from}]\n${words}\n`
}
