import { mutation } from '../kit/operation.ts'
import { HANDLES, handle } from './push-handling.ts'

/**
 * Rewriting a file of this size blocks other writers for a few tenths of a second. A larger file is left for 'prune'.
 */
const MOST_BYTES = 16 * 1024 * 1024

export const pushDelete = mutation({
  name: 'push delete',
  example: 'push delete 3f2a9c1e',
  summary: 'Delete pushes forever.',
  about:
    "The text of a push, the names of its documents and everything said in it are removed from the store and every later export; the documents stay where they are. A reply that was not shown to its agent yet stays as mail. An event still records that there was a push, who made it and who deleted it. 'push trash' can be undone, but this cannot.",
  ...HANDLES,
  async run(context, input) {
    const handled = await handle(context, 'delete', input)
    const erase = async () => (await context.store.keeper()).forgetRemoved(MOST_BYTES)
    context.later(erase, 'anyway')
    return handled
  },
  lines: async (answer) => (await import('./drawing.ts')).drawHandled(answer, 'deleted forever'),
})
