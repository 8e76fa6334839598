// Lists the documents of an instance: every plain file of its folder and those below, but hidden ones, the channel's and
// those that the program makes.

import fs from 'node:fs'
import { toInstant } from '../core/time.ts'
import {
  type ContextPlace,
  DEEPEST_DOCUMENT,
  type FoundDocument,
  type FoundDocuments,
  isContextPath,
  MOST_DOCUMENTS,
} from '../core/workflows/context-files.ts'
import { holdBelow } from './inside-folder.ts'
import { isStoreFile } from './store-files.ts'

/** A folder may be somebody's whole project. No more names than these are looked at. */
const MOST_LOOKED_AT = 20_000

type DocumentsSoFar = { found: FoundDocument[]; lookedAt: number; more: boolean }

export function listDocuments(place: ContextPlace): FoundDocuments {
  const soFar: DocumentsSoFar = { found: [], lookedAt: 0, more: false }
  lookInto(place, [], soFar)
  const first = [place.document, ...place.documents]
  const rank = ({ file }: FoundDocument) => {
    const at = first.indexOf(file)
    return at === -1 ? first.length : at
  }
  // Stable, so the others keep the order in which they were found.
  const documents = soFar.found.sort((a, b) => rank(a) - rank(b))
  const more = soFar.more || documents.length > MOST_DOCUMENTS
  return { documents: documents.slice(0, MOST_DOCUMENTS), more }
}

function lookInto(place: ContextPlace, steps: readonly string[], soFar: DocumentsSoFar): void {
  const folder = heldOrNull(place.dir, steps)
  if (folder === null) return
  const below: string[] = []
  try {
    for (const name of fs.readdirSync(folder.at('.')).sort()) {
      if (name.startsWith('.')) continue
      soFar.lookedAt += 1
      if (soFar.lookedAt > MOST_LOOKED_AT) {
        soFar.more = true
        return
      }
      const stat = fs.lstatSync(folder.at(name), { throwIfNoEntry: false })
      if (stat?.isDirectory()) below.push(name)
      const file = [...steps, name].join('/')
      if (!stat?.isFile() || isStoreFile(stat) || !isContextPath(file, place)) continue
      const modified_at = toInstant(Math.floor(stat.mtimeMs))
      soFar.found.push({ file, bytes: stat.size, modified_at })
    }
  } catch {
    // A folder that may not be read, or went meanwhile, holds no documents for us.
    return
  } finally {
    folder.close()
  }
  if (steps.length + 1 >= DEEPEST_DOCUMENT) return
  for (const name of below) {
    if (soFar.found.length > MOST_DOCUMENTS) soFar.more = true
    if (soFar.more) return
    lookInto(place, [...steps, name], soFar)
  }
}

function heldOrNull(dir: string, steps: readonly string[]) {
  try {
    return holdBelow(dir, steps)
  } catch {
    // A link or a file took the folder's place.
    return null
  }
}
