// What a result is drawn on.

import type { Instant } from '../../core/time.ts'
import type { OperationName } from '../../ops/catalogue.ts'
import type { Result } from '../../ops/kit/answer.ts'
import type { Io, Terminal } from './io.ts'
import { type Cell, type Palette, palette, relative, table } from './text.ts'

export type Page = { terminal: Terminal; ink: Palette; now: number }

/** Every operation of these groups, each drawn from what it answers. */
export type Renderers<Group extends string> = {
  [Name in NamesOf<Group>]: (result: Result<Name>, page: Page) => string
}

/** `token` itself, `token issue`, `token list` … */
export type NamesOf<Group extends string> = Extract<OperationName, Group | `${Group} ${string}`>

export function pageOf(io: Pick<Io, 'terminal' | 'now'>): Page {
  const terminal = io.terminal()
  return { terminal, ink: palette(terminal.colour), now: io.now() }
}

/** `status  done`: a name and its value on each line; those without a value are left out. */
export function facts(rows: [string, string | null | undefined | Cell][], page: Page): string {
  const cells = rows.flatMap(([name, value]): Cell[][] => {
    const cell = typeof value === 'string' ? { text: value } : value
    return cell === null || cell === undefined || cell.text === '' ? [] : [[{ text: name }, cell]]
  })
  return table(cells, page.terminal.columns)
}

/** `seen 5 min ago`, or nothing when it never was. */
export function since(word: string, at: Instant | null, { now }: Page): string {
  return at === null ? '' : `${word} ${relative(at, now)}`
}

/** A program that reads this gets every word of it. */
export function whole(page: Page): Page {
  const { terminal } = page
  if (terminal.isTty) return page
  return { ...page, terminal: { ...terminal, columns: Number.POSITIVE_INFINITY } }
}

/** Of a list that is longer: how to see what comes next. */
export function goOn({ ink }: Page, flag: string, place: string | number | null): string {
  return place === null ? '' : ink.dim(`go on with --${flag} ${place}\n`)
}
