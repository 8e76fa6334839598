import { mutation, PEOPLE } from '../kit/operation.ts'
import { checkEntries, HANDLED, HANDLING_FIELDS, handle } from './push-handling.ts'

export const pushRead = mutation({
  name: 'push read',
  example: 'push read 3f2a9c1e',
  summary: 'Mark pushes as read.',
  about: 'Also marks everything that was said in them. Each person has their own unread pushes.',
  fields: HANDLING_FIELDS,
  set: 'workspace',
  callers: PEOPLE,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check: checkEntries,
  run: (context, input) => handle(context, 'read', input),
  answer: HANDLED,
  lines: async (answer) => (await import('./drawing.ts')).drawHandled(answer, 'marked as read'),
})
