import { operation, quote, Refusal, sentence } from '../../core/error.ts'
import { body, required } from '../kit/field.ts'
import { mutation } from '../kit/operation.ts'
import { changeDocument, DOCUMENT_CHANGE } from './document-change.ts'
import { FILE_FIELD } from './document-view.ts'
import { CONTEXT_FIELDS } from './instance-access.ts'

export const contextDocCreate = mutation({
  name: 'workflow context doc create',
  example: 'workflow context doc create findings/auth.md --content "# Login" --agent coder@pr-123',
  summary: 'Create a document of a workflow.',
  about: 'Creates the folders of its path. An existing document is left alone.',
  fields: {
    ...CONTEXT_FIELDS,
    file: required(FILE_FIELD),
    content: required(body('its text')),
  },
  ...DOCUMENT_CHANGE,
  run: (context, input) =>
    changeDocument(context, {
      change: 'create',
      input,
      next(was, file) {
        if (was === null) return input.content
        throw new Refusal(
          'invalid_state',
          sentence`there is a document ${quote(file)} already; change it with ${operation('workflow context doc write', { file })}, or choose another name`,
          { file },
        )
      },
    }),
  lines: async (answer) => (await import('./drawing.ts')).drawChanged(answer, 'created'),
  tool: {
    name: 'document_create',
    does: 'Create a document; refused if it exists.',
    args: {
      file: { about: 'path, such as findings/auth.md', required: true },
      content: { about: 'text', required: true },
    },
    says: 'created',
  },
})
