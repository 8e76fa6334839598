// The page an answer is drawn on, and the few forms that most answers share.

import { shortId } from '../../../core/short-id.ts'
import type { Instant } from '../../../core/time.ts'
import { type Cell, type Palette, palette, relative, table } from './text.ts'

export type Terminal = { isTty: boolean; columns: number; rows: number; colour: boolean }

/** A raw page shows JSON from a caller unchanged. */
export type Page = {
  terminal: Terminal
  ink: Palette
  now: number
  isRaw: boolean
  caller?: string | undefined
  /** The command as the reader would type it, because the program has several names. */
  command: (operation: string) => string
}

type PageWish = { isRaw?: boolean; caller?: string | undefined; command?: Page['command'] }

export function pageOf(
  io: { terminal: () => Terminal; now: () => number },
  { isRaw = false, caller, command = (operation) => `inbox ${operation}` }: PageWish = {},
): Page {
  const terminal = io.terminal()
  return { terminal, ink: palette(terminal.colour), now: io.now(), isRaw, caller, command }
}

/** Lines such as `status  done`; names without a value are left out. */
export function facts(rows: [string, string | null | undefined | Cell][], page: Page): string {
  const cells = rows.flatMap(([name, value]): Cell[][] => {
    const cell = typeof value === 'string' ? { text: value } : value
    return cell === null || cell === undefined || cell.text === '' ? [] : [[{ text: name }, cell]]
  })
  return table(cells, page.terminal.columns)
}

/** Text such as `seen 5 min ago`, or an empty string if it never happened. */
export function describeSince(word: string, at: Instant | null, { now }: Page): string {
  return at === null ? '' : `${word} ${relative(at, now)}`
}

/** An id in a table: short for people at a terminal, full for programs. */
export function idIn(id: string, { terminal }: Page): string {
  return terminal.isTty ? shortId(id) : id
}

/** Confirms that something was created: a sentence for people at a terminal, the bare id for programs. */
export function drawMade(id: string, page: Page, words: (id: string) => string): string {
  return page.terminal.isTty ? `${words(shortId(id))}\n` : `${id}\n`
}

/** Without a terminal, the page is read by a program, which gets all of the text, so the width is unlimited. */
export function atFullWidth(page: Page): Page {
  const { terminal } = page
  if (terminal.isTty) return page
  return { ...page, terminal: { ...terminal, columns: Number.POSITIVE_INFINITY } }
}

/** Names the caller, as in `no mail for worker`, so that a mistyped name stands out when nothing is found. */
export function nothingFor(what: string, { caller }: Page): string {
  return caller === undefined ? `${what}\n` : `${what} for ${caller}\n`
}

/** How to see the next page of a longer list. */
export function goOn({ ink }: Page, flag: string, place: string | number | null): string {
  return place === null ? '' : ink.dim(`continue with --${flag} ${place}\n`)
}
