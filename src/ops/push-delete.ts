import { mutation, PEOPLE } from './operation.ts'
import { checkEntries, HANDLING_FIELDS, handle } from './push-handling.ts'

export const pushDelete = mutation({
  name: 'push delete',
  summary: 'Delete pushes for ever.',
  about:
    "Their text, the names of their documents and everything said in them is removed from the store and from every export made later; the documents themselves stay where they are. What is left says that there was one, whose it was and who deleted it. 'push trash' can be undone, this cannot.",
  fields: HANDLING_FIELDS,
  set: 'workspace',
  callers: PEOPLE,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check: checkEntries,
  async run(context, input) {
    const handled = await handle(context, 'delete', input)
    context.later(async () => (await context.store.admin()).forgetRemoved(), 'anyway')
    return handled
  },
})
