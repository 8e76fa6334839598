import { mutation, PEOPLE } from './operation.ts'
import { checkEntries, HANDLING_FIELDS, handle } from './push-handling.ts'

export const pushUnread = mutation({
  name: 'push unread',
  summary: 'Keep pushes unread, though they were read.',
  about:
    'Until they are read again. How far they had come stays known: the agent sees that they were read.',
  fields: HANDLING_FIELDS,
  set: 'workspace',
  callers: PEOPLE,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check: checkEntries,
  run: (context, input) => handle(context, 'unread', input),
})
