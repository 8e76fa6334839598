// Recognises what a file holds by its first lines, so that nobody has to say it.

import type { Files } from '../kit/files.ts'
import { elementsOf } from './file-lines.ts'

export const FILE_FORMS = ['log', 'mailbox', 'entries'] as const
export type FileForm = (typeof FILE_FORMS)[number]

/** A line of a mailbox or of entries is shorter: a full body, with most characters escaped. */
const MOST_BYTES = 4 * 1024 * 1024

/** The form of the file, or a log if nothing in it is known; and the file, to be read from its beginning. */
export async function recognise(files: Files): Promise<{ form: FileForm; files: Files }> {
  const chunks = files.read()[Symbol.asyncIterator]()
  const begun: Uint8Array[] = []
  let bytes = 0
  let form: FileForm | undefined
  while (form === undefined && bytes < MOST_BYTES) {
    const { done, value } = await chunks.next()
    if (done) break
    begun.push(value)
    bytes += value.length
    form = await formOf(begun)
  }
  const read = async function* () {
    yield* begun
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  return { form: form ?? 'log', files: { ...files, read } }
}

async function formOf(begun: Uint8Array[]): Promise<FileForm | undefined> {
  const elements = elementsOf(
    (async function* () {
      yield* begun
    })(),
  )
  try {
    for await (const { bytes } of elements) {
      const form = formOfLine(new TextDecoder().decode(bytes))
      if (form !== undefined) return form
    }
  } catch {
    // The import says what is wrong with the file.
  }
  return undefined
}

/** A line may be cut short, or be anything. */
function formOfLine(line: string): FileForm | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  if ('mailroom' in value || 'event' in value) return 'log'
  if ('id' in value && 'ts' in value) return 'entries'
  return 'id' in value && 'createdAt' in value ? 'mailbox' : undefined
}
