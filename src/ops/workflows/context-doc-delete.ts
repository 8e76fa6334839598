import { required } from '../kit/field.ts'
import { mutation } from '../kit/operation.ts'
import { changeDocument, DOCUMENT_CHANGE } from './document-change.ts'
import { FILE_FIELD, noDocument } from './document-view.ts'
import { CONTEXT_FIELDS } from './instance-access.ts'

export const contextDocDelete = mutation({
  name: 'workflow context doc delete',
  example: 'workflow context doc delete findings/auth.md --agent coder@pr-123',
  summary: 'Delete a document of a workflow.',
  about:
    'Removes the file. Its text can still be read as the previous revision, as long as that is kept.',
  fields: { ...CONTEXT_FIELDS, file: required(FILE_FIELD) },
  ...DOCUMENT_CHANGE,
  run: (context, input) =>
    changeDocument(context, {
      change: 'delete',
      input,
      next(was, file) {
        if (was === null) throw noDocument(file)
        return null
      },
    }),
  lines: async (answer) => (await import('./drawing.ts')).drawChanged(answer, 'deleted'),
  tool: {
    name: 'document_delete',
    does: 'Delete a document.',
    args: { file: { about: 'path', required: true } },
    says: 'deleted',
  },
})
