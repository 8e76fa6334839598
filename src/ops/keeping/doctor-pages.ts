// Reads a whole table, one page at a time.

const PAGE = 1000

/** Enough to see a pattern; a broken store could have millions. */
export const MOST_PROBLEMS = 20

export async function eachPage<Row, Cursor>(
  page: (after: Cursor, limit: number) => Promise<Row[]>,
  start: Cursor,
  visit: (row: Row) => Cursor,
): Promise<void> {
  let cursor = start
  for (;;) {
    const rows = await page(cursor, PAGE)
    for (const row of rows) cursor = visit(row)
    if (rows.length < PAGE) return
  }
}
