import { mutation, PEOPLE } from '../kit/operation.ts'
import { checkEntries, HANDLED, HANDLING_FIELDS, handle } from './push-handling.ts'

export const pushUnread = mutation({
  name: 'push unread',
  example: 'push unread 3f2a9c1e',
  summary: 'Mark pushes as unread again.',
  about: 'They stay unread until they are read again. The agent still sees that they were read.',
  fields: HANDLING_FIELDS,
  set: 'workspace',
  callers: PEOPLE,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check: checkEntries,
  run: (context, input) => handle(context, 'unread', input),
  answer: HANDLED,
  lines: async (answer) => (await import('./drawing.ts')).drawHandled(answer, 'kept unread'),
})
