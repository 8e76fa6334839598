import { mutation } from '../kit/operation.ts'
import { HANDLES, handle } from './push-handling.ts'

export const pushUnread = mutation({
  name: 'push unread',
  example: 'push unread 3f2a9c1e',
  summary: 'Mark pushes as unread again.',
  about: 'They stay unread until they are read again. The agent still sees that they were read.',
  ...HANDLES,
  run: (context, input) => handle(context, 'unread', input),
  lines: async (answer) => (await import('./drawing.ts')).drawHandled(answer, 'kept unread'),
})
