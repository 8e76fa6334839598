import { idIn, type Page } from './page.ts'
import { type Cell, oneLine, type Palette, relative, table } from './text.ts'

type Text = string | null | undefined
type TextKey<R> = { [K in keyof R]-?: R[K] extends Text ? K : never }[keyof R]
type MakeCell<R> = (row: R, page: Page) => Cell | Text

/** A text field of the row, or a function that makes the cell. Null and undefined are drawn as an empty cell. */
export type ListColumn<R> = TextKey<R> | MakeCell<R>

/** One line per row, or `none` if there are no rows. A column that is empty in every row is left out. */
export function drawTable<R>(
  rows: readonly R[],
  columns: readonly ListColumn<NoInfer<R>>[],
  page: Page,
  none = '',
): string {
  if (rows.length === 0) return none === '' ? '' : `${none}\n`
  const cells = rows.map((row) => columns.map((column) => cellOf(row, column, page)))
  return table(cells, page.terminal.columns)
}

function cellOf<R>(row: R, column: ListColumn<R>, page: Page): Cell {
  const made = typeof column === 'function' ? column(row, page) : (row[column] as Text)
  const cell = typeof made === 'object' && made !== null ? made : { text: made ?? '' }
  return { ...cell, text: oneLine(cell.text) }
}

/** An id: short for people at a terminal, full for a program that reads the table. */
export function id<R>(key: TextKey<R>): MakeCell<R> {
  return (row, page) => idIn((row[key] as Text) ?? '', page)
}

/** A time, such as "5 min ago". */
export function ago<R>(key: TextKey<R>): MakeCell<R> {
  return (row, { now }) => {
    const at = row[key] as Text
    return at ? relative(at, now) : ''
  }
}

export type InkName = keyof Palette

export function inInk<R>(
  column: ListColumn<R>,
  name: InkName | ((row: R) => InkName),
): MakeCell<R> {
  return (row, page) => {
    const ink = page.ink[typeof name === 'string' ? name : name(row)]
    return { ...cellOf(row, column, page), ink }
  }
}

export function dim<R>(column: ListColumn<R>): MakeCell<R> {
  return inInk(column, 'dim')
}

export function bold<R>(column: ListColumn<R>): MakeCell<R> {
  return inInk(column, 'bold')
}

/** A column that is left out if the terminal is too narrow for the last column. */
export function extra<R>(column: ListColumn<R>): MakeCell<R> {
  return (row, page) => ({ ...cellOf(row, column, page), extra: page.terminal.isTty })
}
