import { quote, Refusal } from '../../core/error.ts'
import type { Instance } from '../../core/workflows/instance.ts'
import { type AnswerOf, aFlag, aNumber, aText, orNull } from '../kit/answer.ts'
import { int } from '../kit/field.ts'
import { type Context, query } from '../kit/operation.ts'
import { documentFor } from './document-change.ts'
import { FILE_ARG, FILE_FIELD, noDocument } from './document-view.ts'
import { CHANNEL_READER, CONTEXT_FIELDS } from './instance-access.ts'

const READ_DOCUMENT = {
  instance: aText('the instance'),
  file: aText('the document'),
  exists: aFlag('false for an entry point that has not been written yet'),
  content: aText('its text'),
  sha256: aText('the digest of the text, for a write that must not overwrite other changes'),
  revision: orNull(aNumber('its revision; null if it was changed from outside since then')),
}

export type ReadDocument = AnswerOf<typeof READ_DOCUMENT>

export const contextDocRead = query({
  name: 'workflow context doc read',
  example: 'workflow context doc read notes.md --agent coder@pr-123',
  summary: 'Read a document of a workflow, in its current or an earlier version.',
  about: 'An entry point that has not been written yet reads as empty.',
  fields: {
    ...CONTEXT_FIELDS,
    file: FILE_FIELD,
    rev: int('an earlier revision, by its number', { min: 1 }),
  },
  ...CHANNEL_READER,
  refusals: [...CHANNEL_READER.refusals, 'forbidden'],
  async run(context, input): Promise<ReadDocument> {
    const { instance, file } = await documentFor(context, input)
    if (input.rev !== undefined) return readRevision(context, instance, file, input.rev)
    const text = await context.instanceFiles.read(instance, file)
    if (text === null && file !== instance.document) throw noDocument(file)
    const content = text ?? ''
    const [sha256, last] = await Promise.all([
      text === null ? '' : context.digest(text),
      context.store.revision({ instance: instance.instance, file }),
    ])
    const revision = last !== null && last.sha256 === sha256 ? last.revision : null
    return { instance: instance.instance, file, exists: text !== null, content, sha256, revision }
  },
  answer: READ_DOCUMENT,
  lines: async (answer) => (await import('./drawing.ts')).drawDocument(answer),
  tool: {
    name: 'document_read',
    does: 'Read a document: the entry point, unless you name a file.',
    args: { file: FILE_ARG, rev: { about: 'earlier revision' } },
    shows: 'content',
  },
})

async function readRevision(
  { store }: Context,
  { instance }: Instance,
  file: string,
  rev: number,
): Promise<ReadDocument> {
  const found = await store.revision({ instance, file }, rev)
  if (found === null) {
    const kept = await keptOf(store, instance, file)
    throw new Refusal('not_found', `${quote(file)} has no revision ${rev}; ${kept}`, { file })
  }
  const content = await store.revisionText(found.thread_id)
  if (content === null) {
    const why = found.sha256 === '' ? 'the document was gone' : 'its text is no longer kept'
    const kept = await keptOf(store, instance, file)
    throw new Refusal('not_found', `revision ${rev} of ${quote(file)}: ${why}; ${kept}`, {
      file,
      sha256: found.sha256,
    })
  }
  return { instance, file, exists: true, content, sha256: found.sha256, revision: rev }
}

const MOST = 10

/** Agents have no tool for the history, so the refusal says which revisions can be read. */
async function keptOf(store: Context['store'], instance: string, file: string): Promise<string> {
  const kept = await store.keptRevisions({ instance, file })
  if (kept.length === 0) return 'the text of no revision is kept'
  return `the last that can be read: ${kept
    .slice(0, MOST)
    .map(({ revision }) => revision)
    .join(', ')}`
}
