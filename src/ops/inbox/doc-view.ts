// A document of a push as doors show it: its path, and its digest when it was pushed.

import { readStored } from '../../core/shallow.ts'
import type { Artifact } from '../../core/threads/message.ts'
import { aRecord, aText, maybe } from '../kit/answer.ts'

export function viewDoc({ path, metadata_json }: Pick<Artifact, 'path' | 'metadata_json'>) {
  const { sha256 } = readStored(metadata_json) as { sha256?: string }
  return { path, ...(sha256 === undefined ? {} : { sha256 }) }
}

export const DOC = aRecord('pointer', 'a document it points at', {
  path: aText('where it is in its workspace'),
  sha256: maybe(aText('its digest when it was pushed')),
})
