import { mutation, PEOPLE } from '../kit/operation.ts'
import { checkEntries, HANDLED, HANDLING_FIELDS, handle } from './push-handling.ts'

export const pushRestore = mutation({
  name: 'push restore',
  example: 'push restore 3f2a9c1e',
  summary: 'Take pushes out of the trash.',
  about: 'A restored push is read or unread as before, with everything that was said in it.',
  fields: HANDLING_FIELDS,
  set: 'workspace',
  callers: PEOPLE,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check: checkEntries,
  run: (context, input) => handle(context, 'restore', input),
  answer: HANDLED,
  lines: async (answer) => (await import('./drawing.ts')).drawHandled(answer, 'restored'),
})
