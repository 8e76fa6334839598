import { required } from '../kit/field.ts'
import { ANYONE, mutation } from '../kit/operation.ts'
import { changeDocument } from './document-change.ts'
import { CHANGED, FILE_FIELD, noDocument } from './document-view.ts'
import { CONTEXT_FIELDS, mustNameInstance } from './instance-access.ts'

export const contextDocDelete = mutation({
  name: 'workflow context doc delete',
  example: 'workflow context doc delete findings/auth.md --agent coder@pr-123',
  summary: 'Delete a document of a workflow.',
  about:
    'The file goes. Its text stays readable as the last revision before, for as long as that is kept.',
  fields: { ...CONTEXT_FIELDS, file: required(FILE_FIELD) },
  set: 'workflow',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'not_found', 'forbidden'],
  check: mustNameInstance,
  run: (context, input) =>
    changeDocument(context, {
      op: 'workflow context doc delete',
      change: 'delete',
      input,
      next(was, file) {
        if (was === null) throw noDocument(file)
        return null
      },
    }),
  answer: CHANGED,
  lines: async (answer) => (await import('./drawing.ts')).drawChanged(answer, 'deleted'),
  tool: {
    name: 'document_delete',
    does: 'Delete a document.',
    args: { file: { about: 'path', required: true } },
    says: 'deleted',
  },
})
