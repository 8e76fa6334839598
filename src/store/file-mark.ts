// Which file a store is in, told so that no copy of it is the same: whoever clones, copies or unpacks a
// store has another, and cannot know beforehand what its mark will be.

import fs from 'node:fs'

/** The setting that holds the mark of the file whose programs may be started. */
export const APPROVED = 'approved'
/** The mark of none: who brought commands in from a file has yet to approve them. */
export const WITHDRAWN = 'no'

export function fileMark(path: string): string {
  const { ino, birthtimeNs } = fs.statSync(path, { bigint: true })
  // Numbers of files are given again; the moment of birth is not. Where none is kept, the path must do.
  return birthtimeNs > 0n ? `${ino} ${birthtimeNs}` : `${ino} ${fs.realpathSync.native(path)}`
}
