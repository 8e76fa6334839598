// The page knows of a list that it never loads whole: how many rows each piece of it has, and from its beginning
// on, which. A piece is a day, or a part of a day with very many rows. Rows that come go by their place into the piece
// that they belong to; so a count that was wrong becomes right when its rows are there.

export type RowPlace = { thread_id: string; event_id: number }

export type DeskPiece = {
  day: string
  count: number
  /** The cursor with which the server's list begins this piece. */
  before: number | null
  /** The rows that are known: the first of the piece, without a gap. */
  ids: readonly string[]
  /** The place of the last known one, behind which the next are asked for. */
  last: number | null
}

export type CountedDay = { day: string; count: number; before: number | null }

export function piecesOf(days: readonly CountedDay[]): DeskPiece[] {
  return days.map(({ day, count, before }) => ({ day, count, before, ids: [], last: null }))
}

/** The days of rows, where nobody has counted yet. */
export function provisional<Row extends RowPlace>(
  rows: readonly Row[],
  dayOf: (row: Row) => string,
): DeskPiece[] {
  return [...Map.groupBy(rows, dayOf)].map(([day, own]) => ({
    day,
    count: own.length,
    before: (own[0]?.event_id ?? 0) + 1,
    ids: own.map(({ thread_id }) => thread_id),
    last: own.at(-1)?.event_id ?? null,
  }))
}

/** Rows that were asked for behind the known ones of piece `at`, put where they belong. */
export function filled(
  pieces: readonly DeskPiece[],
  at: number,
  rows: readonly RowPlace[],
  hasMore: boolean,
): DeskPiece[] {
  const next = [...pieces]
  const known = new Set(pieces[at]?.ids)
  let now = at
  let own: RowPlace[] = []
  const put = (isWhole: boolean) => {
    const piece = next[now]
    if (piece === undefined) return
    const fresh = own.filter(({ thread_id }) => !known.has(thread_id))
    const ids = [...(now === at ? piece.ids : []), ...fresh.map(({ thread_id }) => thread_id)]
    // Another answer may have brought more of it meanwhile.
    const isLonger = ids.length >= piece.ids.length
    if (isWhole || isLonger) {
      const last = own.at(-1)?.event_id ?? piece.last
      const count = isWhole ? ids.length : Math.max(piece.count, ids.length)
      next[now] = { ...piece, ids, last, count }
    }
    own = []
  }
  for (const row of rows) {
    while (isIn(next[now + 1], row)) {
      put(true)
      now += 1
    }
    own.push(row)
  }
  put(!hasMore)
  return (hasMore ? next : next.slice(0, now + 1)).filter(({ count }) => count > 0)
}

function isIn(piece: DeskPiece | undefined, { event_id }: RowPlace): boolean {
  return piece !== undefined && piece.before !== null && event_id < piece.before
}

/** The pieces with one more row at its place, or nothing where the rows around that place are not known. */
export function withRow<Row extends RowPlace>(
  pieces: readonly DeskPiece[],
  row: Row,
  dayOf: (row: Row) => string,
  placeOf: (id: string) => number,
): DeskPiece[] | null {
  if (pieces.length === 0) return provisional([row], dayOf)
  const at = pieces.findLastIndex(
    ({ before }, index) => index === 0 || (before !== null && row.event_id < before),
  )
  const piece = pieces[at]
  if (piece === undefined || piece.ids.includes(row.thread_id)) return null
  const isBehind = row.event_id < (piece.last ?? Number.POSITIVE_INFINITY)
  if (isBehind && piece.ids.length < piece.count) return null
  const place = piece.ids.findIndex((id) => placeOf(id) < row.event_id)
  const ids = piece.ids.toSpliced(place < 0 ? piece.ids.length : place, 0, row.thread_id)
  const last = place < 0 ? row.event_id : piece.last
  return pieces.with(at, { ...piece, ids, last, count: piece.count + 1 })
}
