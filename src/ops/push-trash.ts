import { mutation, PEOPLE } from './operation.ts'
import { checkEntries, HANDLING_FIELDS, handle } from './push-handling.ts'

export const pushTrash = mutation({
  name: 'push trash',
  summary: 'Put pushes away.',
  about:
    "They can be restored; after a month 'inbox prune' removes them, if nobody has anything left to read in them. Whoever says something in one brings it back.",
  fields: HANDLING_FIELDS,
  set: 'workspace',
  callers: PEOPLE,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check: checkEntries,
  run: (context, input) => handle(context, 'trash', input),
})
