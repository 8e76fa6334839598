// Opens the current content of a push's document, for operations and for doors that send the file itself.

import { WORKSPACES } from '../../core/identity/workspace-record.ts'
import {
  type Absence,
  documentPath,
  type FileLooks,
  guessLooks,
  INLINE_BYTES,
  type OpenDocument,
} from '../../core/pushes/document.ts'
import type { PushItem } from '../../core/pushes/push-reads.ts'
import { viewDoc } from '../inbox/view.ts'
import { type AnswerOf, aFlag, aNumber, aRow, aText, orNull } from '../kit/answer.ts'
import type { Context } from '../kit/operation.ts'
import { unusable } from './push.ts'
import { type PushViewer, visiblePush } from './push-view.ts'

/** How much of a file is read to guess its type and language. */
const BEGINNING = 8192

export type OpenedDocument = {
  path: string
  /** The digest at the time of the push; null if the file wasn't pushed or was pushed without a digest. */
  pushed_sha256: string | null
  document: OpenDocument | { state: Absence; size?: number }
}

/**
 * The caller must close the document. A missing workspace or file is returned as a state, but a path outside the
 * workspace is refused for every caller.
 */
export async function openDocument(
  { store, documents }: Pick<Context, 'store' | 'documents'>,
  want: { entry: string; path: string; viewer: PushViewer; tellOutside?: true },
): Promise<OpenedDocument> {
  const path = documentPath(want.path, 'path')
  const item = await visiblePush(store, want.entry, want.viewer)
  const pushed_sha256 = digestAtPush(item, path)
  const workspace =
    item.workspace_id === '' ? null : await store.rowOf(WORKSPACES, item.workspace_id)
  if (workspace === null || workspace.removed_at !== null) {
    return { path, pushed_sha256, document: { state: 'gone' } }
  }
  const document = await documents.open(workspace.path, path)
  if (document.state === 'outside' && !want.tellOutside) throw unusable('outside', path, workspace)
  return { path, pushed_sha256, document }
}

function digestAtPush({ artifacts }: PushItem, path: string): string | null {
  // An imported path may be spelled differently.
  const doc = artifacts.find((artifact) => documentPath(artifact.path, 'path') === path)
  return (doc && viewDoc(doc).sha256) ?? null
}

export const DOCUMENT_HOLDS = {
  path: aText('where it is in its workspace'),
  state: aText<'there' | Absence>(
    'there, missing, gone, special, too_large, outside or unreadable',
  ),
  changed: orNull(aFlag('whether it has changed since it was pushed')),
  size: orNull(aNumber('in bytes')),
  modified_at: orNull(aText('when it last changed')),
  sha256: orNull(aText('the file’s current digest')),
  pushed_sha256: orNull(aText('its digest when it was pushed')),
  kind: orNull(aText<FileLooks['kind']>('text, image or binary')),
  media_type: orNull(aText('its type')),
  language: orNull(aText('its probable language')),
}

export type DocumentNow = AnswerOf<typeof DOCUMENT_HOLDS>

export const DOCUMENT = aRow<DocumentNow>('document', 'a document as it is now', DOCUMENT_HOLDS)

export async function describe({
  path,
  pushed_sha256,
  document,
}: OpenedDocument): Promise<DocumentNow> {
  const isKnown = document.state === 'missing' && pushed_sha256 !== null
  if (document.state !== 'there') {
    return {
      path,
      state: document.state,
      changed: isKnown ? true : null,
      size: document.size ?? null,
      modified_at: null,
      sha256: null,
      pushed_sha256,
      kind: null,
      media_type: null,
      language: null,
    }
  }
  const sha256 = await document.digest()
  return {
    path,
    state: 'there',
    changed: pushed_sha256 === null ? null : pushed_sha256 !== sha256,
    size: document.size,
    modified_at: document.modified_at,
    sha256,
    pushed_sha256,
    ...guessLooks(path, await document.read(BEGINNING)),
  }
}

export async function describeAt(...asked: Parameters<typeof openDocument>): Promise<DocumentNow> {
  const opened = await openDocument(...asked)
  try {
    return await describe(opened)
  } finally {
    if (opened.document.state === 'there') opened.document.close()
  }
}

/** The text, or an image as base64; null for a file that can only be downloaded. */
export async function contentOf(
  document: OpenDocument,
  { kind, size }: Pick<DocumentNow, 'kind' | 'size'>,
): Promise<{ content: string | null; encoding: 'utf-8' | 'base64' | null }> {
  if ((size ?? 0) > INLINE_BYTES) return { content: null, encoding: null }
  const bytes = await document.read(INLINE_BYTES)
  if (kind === 'image') return { content: toBase64(bytes), encoding: 'base64' }
  if (kind !== 'text') return { content: null, encoding: null }
  try {
    const content = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { content, encoding: 'utf-8' }
  } catch {
    // The file begins like text but isn't.
    return { content: null, encoding: null }
  }
}

function toBase64(bytes: Uint8Array): string {
  let letters = ''
  for (let at = 0; at < bytes.length; at += 8192) {
    letters += String.fromCharCode(...bytes.subarray(at, at + 8192))
  }
  return btoa(letters)
}
