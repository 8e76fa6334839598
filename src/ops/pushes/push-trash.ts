import { mutation } from '../kit/operation.ts'
import { HANDLES, handle } from './push-handling.ts'

export const pushTrash = mutation({
  name: 'push trash',
  example: 'push trash 3f2a9c1e',
  summary: 'Move pushes to the trash.',
  about:
    "A trashed push can be restored. After 30 days a server deletes it, as 'inbox prune' does, unless someone still has something to read in it. A message in a trashed push restores it.",
  ...HANDLES,
  run: (context, input) => handle(context, 'trash', input),
  lines: async (answer) => (await import('./drawing.ts')).drawHandled(answer, 'trashed'),
})
