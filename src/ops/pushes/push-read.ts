import { mutation } from '../kit/operation.ts'
import { HANDLES, handle } from './push-handling.ts'

export const pushRead = mutation({
  name: 'push read',
  example: 'push read 3f2a9c1e',
  summary: 'Mark pushes as read.',
  about: 'Also marks all messages in them. Each person has their own unread pushes.',
  ...HANDLES,
  run: (context, input) => handle(context, 'read', input),
  lines: async (answer) => (await import('./drawing.ts')).drawHandled(answer, 'marked as read'),
})
