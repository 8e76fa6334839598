// Renders a channel as channel.md: each entry has a heading with its time (UTC) and writer, followed by its text.
//
// (1) No entry can fake a heading: a line that looks like one, however it's indented, gets a leading backslash, which
//     Markdown doesn't show. A line that already has one gets another, so that different entries stay different.
// (2) All line separators become plain line breaks, and control characters are escaped, so that printing the file can't
//     overwrite or hide a heading.

import { visible } from '../error.ts'
import type { Instant } from '../time.ts'

export type DrawnEntry = {
  /** The entry's position in the channel, counting from 1. */
  seq: number
  timestamp: Instant
  from: string
  message: string
}

const BREAKS = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const OBEYED = /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu
/** Also matches a fake heading that contains zero-width characters, because it would still look real. */
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
