// Walks from a folder with a known real path down to one below it, step by step, so that neither a link nor a path that
// changes midway can lead elsewhere.
// (1) Every step is opened as a handle (O_PATH), which refers to the same folder from then on, even if its path
//     changes. Links are never followed. All changes to files inside go through the handle of their folder.
// (2) A folder may be moved while we hold it, so we check where the handle is before each change.
// (3) Systems without handles (macOS) only have the path, which is checked again before each change.

import fs from 'node:fs'
import { join } from 'node:path'
import { quote, type Refusal, refuse } from '../core/error.ts'
import { hasHandles, isFolder, O_PATH } from './open-inside.ts'
import { codeOf, flushFolder } from './text-file.ts'

const { O_DIRECTORY, O_NOFOLLOW } = fs.constants
const HANDLES = '/proc/self/fd'

export type HeldFolder = {
  /** Returns a path to something in this folder, to use in a single system call. */
  at(name: string): string
  /** Throws if the folder is no longer where it was found. */
  mustBeThere(): void
  flush(): void
  close(): void
}

/** Returns null if there's no folder at this path, or if the path now leads elsewhere. */
export function holdFolder(
  path: string,
  hold = hasHandles() ? byHandle : byPath,
): HeldFolder | null {
  if (!isFolder(path)) return null
  try {
    const held = hold(path, path)
    held.mustBeThere()
    return held
  } catch {
    // Since we looked, the folder was removed or replaced by a link.
    return null
  }
}

export function useFolder<R>(folder: HeldFolder, work: (folder: HeldFolder) => R): R {
  try {
    return work(folder)
  } finally {
    folder.close()
  }
}

/** Walks down from a folder. Returns null if a step is missing. Refuses links and files along the way. */
export function holdBelow(root: string, steps: readonly string[]): HeldFolder | null {
  const held = goDown(root, steps, () => false)
  return held === null ? null : held.folder
}

/** Like `holdBelow`, but creates missing folders. `undo` removes them again. */
export function makeBelow(
  root: string,
  steps: readonly string[],
): { folder: HeldFolder; undo(): void } | null {
  return goDown(root, steps, (folder, step) => {
    folder.mustBeThere()
    fs.mkdirSync(folder.at(step))
    return true
  })
}

function goDown(
  root: string,
  steps: readonly string[],
  make: (folder: HeldFolder, step: string) => boolean,
): { folder: HeldFolder; undo(): void } | null {
  const hold = hasHandles() ? byHandle : byPath
  let folder = holdFolder(root)
  if (folder === null) return null
  let made = 0
  let path = root
  try {
    for (const step of steps) {
      path = join(path, step)
      const found = fs.lstatSync(folder.at(step), { throwIfNoEntry: false })
      if (found === undefined) {
        if (!make(folder, step)) {
          folder.close()
          return null
        }
        made += 1
      } else if (!found.isDirectory()) throw notFolder(path, found)
      const below: HeldFolder = hold(folder.at(step), path)
      folder.close()
      folder = below
    }
    return { folder, undo: () => removeEmpty(root, steps, made) }
  } catch (error) {
    folder.close()
    removeEmpty(root, steps.slice(0, path.slice(root.length + 1).split('/').length), made)
    throw codeOf(error) === 'ENOTDIR' || codeOf(error) === 'ELOOP' ? notFolder(path) : error
  }
}

/** Removes this many folders from the end of a path, as long as they're empty. */
function removeEmpty(root: string, steps: readonly string[], count: number): void {
  for (let left = count; left > 0; left -= 1) {
    const above = steps.slice(0, steps.length - 1 - (count - left))
    try {
      const folder = holdBelow(root, above)
      if (folder === null) return
      useFolder(folder, () => fs.rmdirSync(folder.at(steps[above.length] as string)))
    } catch {
      // It isn't empty anymore, or is gone.
      return
    }
  }
}

function notFolder(path: string, found?: fs.Stats): Refusal {
  if (found === undefined || found.isSymbolicLink()) return throughLink(path)
  return refuse.invalid_input`${quote(path)} is not a folder; give the document another name`
}

export function throughLink(path: string): Refusal {
  return refuse.forbidden`${quote(path)} is a link, and documents are not read or written through links; name a file of the folder itself`
}

// Implements (1) and (2).
function byHandle(path: string, real: string): HeldFolder {
  const handle = fs.openSync(path, O_PATH | O_DIRECTORY | O_NOFOLLOW)
  const itself = `${HANDLES}/${handle}`
  return {
    at: (name) => `${itself}/${name}`,
    mustBeThere() {
      if (fs.readlinkSync(itself) !== real) throw movedAway(real)
    },
    flush: () => flushFolder(itself),
    close: () => fs.closeSync(handle),
  }
}

/** Implements (3). Exported so that it can be tested on systems with handles. */
export function byPath(path: string, real: string): HeldFolder {
  const mustBeThere = () => {
    if (fs.realpathSync.native(real) !== real) throw movedAway(real)
  }
  if (!fs.lstatSync(path).isDirectory()) throw throughLink(real)
  mustBeThere()
  return {
    at: (name) => join(real, name),
    mustBeThere,
    flush: () => flushFolder(real),
    close: () => {},
  }
}

function movedAway(path: string): Refusal {
  return refuse.invalid_state`the folder ${quote(path)} was moved or replaced meanwhile; try again`
}
