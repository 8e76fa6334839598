import { mutation } from '../kit/operation.ts'
import { HANDLES, handle } from './push-handling.ts'

export const pushRestore = mutation({
  name: 'push restore',
  example: 'push restore 3f2a9c1e',
  summary: 'Take pushes out of the trash.',
  about: 'A restored push and its messages are read or unread as before.',
  ...HANDLES,
  run: (context, input) => handle(context, 'restore', input),
  lines: async (answer) => (await import('./drawing.ts')).drawHandled(answer, 'restored'),
})
