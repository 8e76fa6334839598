// Lays out text on a terminal. Text that an agent wrote is shown without its control characters: a subject must not
// move the cursor, hide itself, or reverse the line.

import { UNSEEN } from '../../../core/error.ts'
import { shortId } from '../../../core/short-id.ts'
import type { Instant } from '../../../core/time.ts'

export type Ink = (text: string) => string
export type Palette = Record<'dim' | 'bold' | 'red' | 'green' | 'yellow' | 'blue' | 'cyan', Ink>

const SGR: Record<keyof Palette, number> = {
  dim: 2,
  bold: 1,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  cyan: 36,
}

export function palette(colour: boolean): Palette {
  const ink =
    (code: number): Ink =>
    (text) =>
      colour && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text
  const entries = Object.entries(SGR).map(([name, code]) => [name, ink(code)])
  return Object.fromEntries(entries) as Palette
}

/** Invisible joiners that some words and emoji need. */
const JOINERS = '\u200c\u200d'

export function makeSafe(text: string): string {
  return text.replace(UNSEEN, (letter) => (JOINERS.includes(letter) ? letter : '�'))
}

export function oneLine(text: string): string {
  return makeSafe(text.replace(/\s+/g, ' ').trim())
}

/** The last line usually says how a program ended. */
export function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? ''
}

function cut(text: string, width: number): string {
  const letters = [...text]
  return letters.length <= width ? text : `${letters.slice(0, Math.max(0, width - 1)).join('')}…`
}

const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g

/** An extra column is left out if the last column would otherwise have no room. */
export type Cell = { text: string; ink?: Ink; extra?: boolean | undefined }

/** A subject cut to this many characters is still readable. */
const READABLE = 30

/**
 * Makes columns as wide as their widest cell and drops empty ones. The last column takes the remaining width. Every
 * cell is cleaned, no matter who wrote it, so that no cell breaks its line or controls the terminal.
 */
export function table(given: Cell[][], width: number): string {
  const all = given.map((row) =>
    row.map((cell) => ({ ...cell, text: makeSafe(cell.text.replace(LINE_BREAKS, ' ')) })),
  )
  const used = (column: number) => all.some((row) => (row[column]?.text ?? '') !== '')
  const rows = roomier(
    all.map((row) => row.filter((_, column) => used(column))),
    width,
  )
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, i) =>
    Math.max(0, ...rows.map((row) => [...(row[i]?.text ?? '')].length)),
  )
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + 2, 0)
  const lines = rows.map((row) =>
    row
      .map(({ text, ink = (same) => same }, i) => {
        if (i === columns - 1) return ink(cut(text, Math.max(8, width - before)))
        return ink(text) + ' '.repeat((widths[i] ?? 0) - [...text].length + 2)
      })
      .join('')
      .trimEnd(),
  )
  return lines.map((line) => `${line}\n`).join('')
}

/** Drops extra columns, rightmost first, until the last column is readable. */
function roomier(rows: Cell[][], width: number): Cell[][] {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widest = (column: number) =>
    Math.max(0, ...rows.map((row) => [...(row[column]?.text ?? '')].length))
  let used = 0
  for (let column = 0; column < columns - 1; column++) used += widest(column) + 2
  const needed = Math.min(READABLE, widest(columns - 1))
  const left = new Set<number>()
  for (let column = columns - 2; column > 0 && width - used < needed; column--) {
    if (!rows.some((row) => row[column]?.extra)) continue
    left.add(column)
    used -= widest(column) + 2
  }
  return left.size === 0 ? rows : rows.map((row) => row.filter((_, column) => !left.has(column)))
}

const UNITS: [number, string][] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
]

function span(seconds: number): string {
  for (const [size, unit] of UNITS) {
    if (seconds >= size) return `${Math.floor(seconds / size)} ${unit}`
  }
  return `${seconds} s`
}

/** For example "5 min ago" or "in 2 h". The exact time is in the JSON. */
export function relative(at: Instant, now: number): string {
  const seconds = (Date.parse(at) - now) / 1000
  if (Math.abs(seconds) < 1) return 'now'
  // Round first, so that a 15-minute lease seen a millisecond later isn't shown as 14 minutes.
  const whole = Math.round(Math.abs(seconds))
  return seconds < 0 ? `${span(whole)} ago` : `in ${span(whole)}`
}

/** For example "for 5 min": the time since something began. */
export function elapsed(since: Instant, now: number): string {
  const seconds = Math.round((now - Date.parse(since)) / 1000)
  return seconds < 1 ? 'just now' : `for ${span(seconds)}`
}

export function indent(text: string, by: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : by + line))
    .join('\n')
}

export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : plural}`
}

const QUOTED = /"(?:[^"\\]|\\.)*"/
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/
/** A time after a flag or after "is" stays exact. */
const EXACT = new RegExp(`(?:--[a-z-]+[ =]|\\bis )${TIME.source}`)
const ID = /(?:[a-z]{2,3}_[0-9a-z]{26}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/
/** A standalone id, possibly in quotes or brackets; in a path it's part of a different name. */
const ALONE = new RegExp(`(?<=^|[\\s([{<'‘“\`])${ID.source}(?![\\w/\\\\-]|\\.\\w)`)
const PARTS = new RegExp(
  [QUOTED, EXACT, ALONE].map(({ source }) => source).join('|') +
    `|\\b(until |at )?(${TIME.source})`,
  'g',
)

export function readable(text: string, now: number): string {
  return text.replace(PARTS, (part, before?: string, at?: string) => {
    // shortId leaves quoted text and exact times unchanged.
    if (at === undefined) return shortId(part)
    const when = relative(at, now)
    if (before !== 'until ') return when === 'now' ? 'just now' : when
    return when.startsWith('in ') ? `for another ${when.slice(3)}` : `until ${when}`
  })
}
