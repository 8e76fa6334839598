// Takes lines that are too long out of a stream of bytes before anybody keeps them. Such a line is reported
// once and skipped, and the next line is read normally.

const NEWLINE = 10

export type LineLimit = {
  limit: number
  /** A whole line, in the pieces in which it came. */
  pass: (pieces: readonly Uint8Array[]) => void
  tooLong: () => void
}

export function limitLines({ limit, pass, tooLong }: LineLimit): (chunk: Uint8Array) => void {
  let kept: Uint8Array[] = []
  let length = 0
  let isSkipped = false
  const end = () => {
    if (!isSkipped) pass(kept)
    kept = []
    length = 0
    isSkipped = false
  }
  const keep = (piece: Uint8Array) => {
    length += piece.length
    if (isSkipped) return
    kept.push(piece)
    if (length <= limit) return
    kept = []
    isSkipped = true
    tooLong()
  }
  return (chunk) => {
    for (let from = 0; from < chunk.length; ) {
      const at = chunk.indexOf(NEWLINE, from)
      const to = at < 0 ? chunk.length : at + 1
      keep(chunk.subarray(from, to))
      if (at >= 0) end()
      from = to
    }
  }
}
