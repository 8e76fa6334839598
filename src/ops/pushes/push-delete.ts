import { mutation, PEOPLE } from '../kit/operation.ts'
import { checkEntries, HANDLED, HANDLING_FIELDS, handle } from './push-handling.ts'

/**
 * A file of this size is rewritten in some tenths of a second, in which nobody else writes. A larger file
 * waits for 'prune'.
 */
const MOST_BYTES = 16 * 1024 * 1024

export const pushDelete = mutation({
  name: 'push delete',
  example: 'push delete 3f2a9c1e',
  summary: 'Delete pushes forever.',
  about:
    "The text of a push, the names of its documents and everything said in it leave the store and every later export; the documents stay where they are. A reply that its agent was not shown yet stays for it as mail of its own. An event still says that there was a push, whose it was and who deleted it. 'push trash' can be undone, this cannot.",
  fields: HANDLING_FIELDS,
  set: 'workspace',
  callers: PEOPLE,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check: checkEntries,
  async run(context, input) {
    const handled = await handle(context, 'delete', input)
    const erase = async () => (await context.store.keeper()).forgetRemoved(MOST_BYTES)
    context.later(erase, 'anyway')
    return handled
  },
  answer: HANDLED,
  lines: async (answer) => (await import('./drawing.ts')).drawHandled(answer, 'deleted forever'),
})
