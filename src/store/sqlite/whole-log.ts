// Whether the write-ahead log was emptied, cut or overwritten where it is. It may be opened beside SQLite: the locks are in
// its index and in the file.
//
// A log becomes shorter by itself only when SQLite begins it anew: it is emptied, and the next commit writes its header; or
// it is cut once its header was written anew. So after a commit a log that holds something begins with a header, and one
// that has the header of before has not become shorter.

import fs from 'node:fs'

const HEADER_BYTES = 32
/** The first four bytes of every log; the last bit says how its sums are written. */
const MAGIC = 0x377f0682

export function watchLog(path: string) {
  const header = Buffer.alloc(HEADER_BYTES)
  const known = Buffer.alloc(HEADER_BYTES)
  let sizeAfter = 0
  let sizeBefore = 0
  let fd: number | undefined
  const readHeader = (): number => {
    try {
      fd ??= fs.openSync(path, 'r')
      return fs.readSync(fd, header, 0, HEADER_BYTES, 0)
    } catch {
      // There is none yet; whether it should be there, others ask.
      return 0
    }
  }
  return {
    /** While nobody else can write. */
    begin(size: number) {
      sizeBefore = size
    },
    /** After a commit. A log that is empty holds nothing: what it held is in the file. */
    isCut(size: number): boolean {
      const read = size === 0 ? 0 : readHeader()
      if (read === 0) return false
      const isSame = header.equals(known)
      const isWhole = read === HEADER_BYTES && (header.readUInt32BE(0) & ~1) >>> 0 === MAGIC
      const isCut = !isWhole || (isSame && sizeBefore < sizeAfter)
      if (!isSame) header.copy(known)
      sizeAfter = size
      return isCut
    },
    end() {
      if (fd !== undefined) fs.closeSync(fd)
      fd = undefined
    },
  }
}
