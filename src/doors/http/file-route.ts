// Serves the documents of pushes: unchanged as files, or HTML as a page that can't run scripts or load anything.

import { documentPath, INLINE_BYTES } from '../../core/pushes/document.ts'
import { authorise } from '../../ops/kit/authorise.ts'
import { takeQuota } from '../../ops/kit/quota.ts'
import { operationNamed } from '../../ops/known-caller.ts'
import { describe, openDocument } from '../../ops/pushes/push-document.ts'
import { viewerOf } from '../../ops/pushes/push-view.ts'
import { decline, json } from './answer.ts'
import { abortWhenRevoked } from './open-calls.ts'
import type { IdentifiedCall } from './route.ts'
import { streamPieces, textAnswer } from './send-answer.ts'

/** Types a browser may show next to the app, up to a size limit. Other files are saved and never run. */
const SHOWN = /^(text\/plain|image\/(png|jpeg|gif|webp|avif))\b/

/**
 * Restricts a page written by an agent, in one of our frames or opened directly. It has no origin, so it can't read our
 * data. It can't run scripts, send forms, open windows or load anything from elsewhere.
 */
const PREVIEW_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

export async function sendFile(asked: IdentifiedCall): Promise<Response> {
  const { request } = asked
  const opened = await openFor(asked)
  const { document, path } = opened
  // The entry exists, so report the state of its document. The header distinguishes this from a document that is
  // itself JSON.
  if (document.state !== 'there') {
    const state = { 'x-inbox-state': document.state }
    return json({ ok: true, ...(await describe(opened)) }, 200, state)
  }
  const { media_type, size, sha256 } = await describe(opened)
  const known = {
    etag: `"${sha256}"`,
    'x-inbox-sha256': sha256 ?? '',
    'x-inbox-state': 'there',
    // Keeps a file from acting as one of our pages.
    'content-security-policy': "default-src 'none'; sandbox",
  }
  if (isKnown(request.headers.get('if-none-match'), known.etag)) {
    document.close()
    return new Response(null, { status: 304, headers: known })
  }
  const type = media_type ?? 'application/octet-stream'
  const isShown = SHOWN.test(type) && (size ?? 0) <= INLINE_BYTES
  const how = isShown ? 'inline' : 'attachment'
  const name = encodeURIComponent(path.split('/').at(-1) ?? 'file')
  return new Response(await streamDocument(asked, document), {
    headers: {
      ...known,
      'content-type': type,
      'content-disposition': `${how}; filename*=UTF-8''${name}`,
    },
  })
}

export async function sendPreview(asked: IdentifiedCall): Promise<Response> {
  const opened = await openFor(asked)
  const { document, path } = opened
  if (document.state !== 'there') throw decline(404, `there is no preview: ${document.state}`)
  try {
    const { language, size } = await describe(opened)
    if (language !== 'html' || (size ?? 0) > INLINE_BYTES) {
      const why = language === 'html' ? 'is too large' : 'is not HTML'
      throw decline(400, `${path.split('/').at(-1)} ${why}; read it at /file`)
    }
    const page = new TextDecoder().decode(await document.read(INLINE_BYTES))
    return textAnswer(withoutLinks(page), {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': PREVIEW_POLICY,
        // A DNS lookup would reveal that the page is being read.
        'x-dns-prefetch-control': 'off',
        'referrer-policy': 'no-referrer',
      },
    })
  } finally {
    document.close()
  }
}

/**
 * No policy keeps a browser from preconnecting (`<link rel=preconnect>`), which reveals that the page is being read.
 * Link elements couldn't load anything here anyway, so remove them all.
 */
function withoutLinks(page: string): string {
  return page.replace(/<link/gi, '<not-a-link')
}

/** Opens the same file as `push file` does, for the same callers. */
async function openFor({ served, principal, params, url }: IdentifiedCall) {
  if (principal.kind === 'agent')
    throw decline(403, 'agents read files in their own folder, not through the server')
  authorise(await operationNamed('push file'), principal, {})
  const path = documentPath(url.searchParams.get('path') ?? '', 'path')
  const viewer = viewerOf({ caller: { agent: principal.name, principal } }, principal.name)
  return openDocument(served.house, { entry: params.id ?? '', path, viewer })
}

type FileToSend = { close: () => void; stream: () => AsyncIterable<Uint8Array> }

async function streamDocument(
  { served, principal, connection }: IdentifiedCall,
  document: FileToSend,
): Promise<ReadableStream<Uint8Array>> {
  let giveBack = () => {}
  try {
    giveBack = takeQuota('downloads', { store: served.house.store, principal })
    connection.allowSeconds(0)
    const good = await abortWhenRevoked(served, principal)
    const over = () => {
      good.end()
      giveBack()
    }
    return streamPieces(until(good.signal, document.stream()), over)
  } catch (error) {
    document.close()
    giveBack()
    throw error
  }
}

function isKnown(header: string | null, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}

/** Aborts a download once the token expires or is revoked, so that a partial document doesn't look complete. */
async function* until(
  ended: AbortSignal,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    if (ended.aborted) throw decline(401, 'your token or session has ended')
    yield piece
  }
}
