// Reads a document's file: first the beginning, then all of it if the person asks. An unchanged file isn't sent again.

import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { answerOf, reach } from '../../api/call.ts'
import { queries } from '../../api/queries.ts'
import { addressOf, sessionHeaders } from '../../api/session.ts'

const FIRST_BYTES = 200_000
/** Longer text files are only offered as a download. */
export const WHOLE_BYTES = 4_000_000

export type DocumentPlace = { entry: string; path: string }

/** The text is null if the file is gone or turned out not to be text. */
export type ReadFile = { sha256: string; text: string | null; isWhole: boolean }

export function fileAddress({ entry, path }: DocumentPlace, what: 'file' | 'preview' = 'file') {
  return `/api/inbox/${encodeURIComponent(entry)}/${what}?path=${encodeURIComponent(path)}`
}

/** Returns a URL that changes with the file's content, so the browser reloads the file. */
export function freshAddress(
  place: DocumentPlace,
  sha256: string | null,
  what?: 'file' | 'preview',
): string {
  return addressOf(`${fileAddress(place, what)}&as=${sha256?.slice(0, 12)}`)
}

export function readingFile(place: DocumentPlace, sha256: string, isWhole: boolean) {
  const key = ['file', place.entry, place.path, sha256, isWhole] as const
  return queryOptions({
    queryKey: key,
    queryFn: ({ signal }) => read(place, queries.getQueryData(key), isWhole, signal),
    // Shows the old content until the new content arrives.
    placeholderData: keepPreviousData,
  })
}

async function read(
  place: DocumentPlace,
  before: ReadFile | undefined,
  isWhole: boolean,
  signal: AbortSignal,
): Promise<ReadFile> {
  const known = before === undefined ? {} : { 'if-none-match': `"${before.sha256}"` }
  const headers = { ...sessionHeaders(), ...known }
  const response = await reach(fileAddress(place), { headers, signal })
  if (response.status === 304 && before !== undefined) return before
  if (!response.ok) return answerOf(response)
  const sha256 = response.headers.get('x-inbox-sha256') ?? ''
  if (response.headers.get('x-inbox-state') !== 'there' || response.body === null)
    return { sha256, text: null, isWhole: true }
  return { sha256, ...(await beginningOf(response.body, isWhole ? WHOLE_BYTES : FIRST_BYTES)) }
}

/** Reads at most `most` bytes, and drops a line that was cut off at the end. */
async function beginningOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  most: number,
): Promise<Omit<ReadFile, 'sha256'>> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = body.getReader()
  let text = ''
  try {
    for (let length = 0; ; ) {
      const { done, value } = await reader.read()
      if (done) return { text: text + decoder.decode(), isWhole: true }
      const piece = value.subarray(0, most - length)
      text += decoder.decode(piece, { stream: true })
      length += value.length
      if (length <= most) continue
      const end = text.lastIndexOf('\n')
      return { text: end < 0 ? text : text.slice(0, end + 1), isWhole: false }
    }
  } catch (error) {
    // The beginning looked like text, but the file isn't text.
    if (error instanceof TypeError) return { text: null, isWhole: false }
    throw error
  } finally {
    void reader.cancel().catch(() => {})
  }
}

export function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 100) / 10} kB`
  return `${Math.round(bytes / 100_000) / 10} MB`
}
