import { body, required } from '../kit/field.ts'
import { mutation } from '../kit/operation.ts'
import { changeDocument, DOCUMENT_CHANGE } from './document-change.ts'
import { FILE_ARG, FILE_FIELD } from './document-view.ts'
import { CONTEXT_FIELDS } from './instance-access.ts'

export const contextDocAppend = mutation({
  name: 'workflow context doc append',
  example:
    'workflow context doc append notes.md --content "- checked the login" --agent coder@pr-123',
  summary: 'Add to the end of a document of a workflow.',
  about:
    'Several agents can append at the same time without losing anything. The text is added unchanged: begin it with a line break if it needs one. A missing document is created.',
  fields: {
    ...CONTEXT_FIELDS,
    file: FILE_FIELD,
    content: required(body('the text to add')),
  },
  ...DOCUMENT_CHANGE,
  run: (context, input) =>
    changeDocument(context, {
      change: 'append',
      input,
      next: (was) => (was ?? '') + input.content,
    }),
  lines: async (answer) => (await import('./drawing.ts')).drawChanged(answer, 'appended'),
  tool: {
    name: 'document_append',
    does: 'Add to the end of a document.',
    args: { content: { about: 'text', required: true }, file: FILE_ARG },
    says: 'appended',
  },
})
