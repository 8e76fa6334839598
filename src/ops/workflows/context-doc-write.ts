import { body, required, text } from '../kit/field.ts'
import { mutation } from '../kit/operation.ts'
import { changeDocument, DOCUMENT_CHANGE } from './document-change.ts'
import { FILE_ARG, FILE_FIELD } from './document-view.ts'
import { CONTEXT_FIELDS } from './instance-access.ts'

export const contextDocWrite = mutation({
  name: 'workflow context doc write',
  example: 'workflow context doc write notes.md --content-file notes.md --agent coder@pr-123',
  summary: 'Replace the text of a document of a workflow.',
  about:
    'The file is replaced completely or not at all. The previous text is kept as a revision. With --if-sha256, set to the digest from reading, a document that has changed since then is left alone. Mentions in documents do not notify anyone.',
  fields: {
    ...CONTEXT_FIELDS,
    file: FILE_FIELD,
    content: required(body('the new text')),
    if_sha256: text('write only if the document still has this digest', { max: 64 }),
  },
  ...DOCUMENT_CHANGE,
  refusals: [...DOCUMENT_CHANGE.refusals, 'revision_conflict'],
  run: (context, input) =>
    changeDocument(context, {
      change: 'write',
      input,
      next: () => input.content,
    }),
  lines: async (answer) => (await import('./drawing.ts')).drawChanged(answer, 'written'),
  tool: {
    name: 'document_write',
    does: 'Replace a document. if_sha256: only if it is still what you read.',
    args: {
      content: { about: 'the whole text', required: true },
      file: FILE_ARG,
      if_sha256: { about: 'digest you read' },
    },
    says: 'written',
  },
})
