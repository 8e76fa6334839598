import { FINISH, finishThread } from './finish.ts'
import { mutation } from './operation.ts'

export const done = mutation({
  name: 'done',
  summary: 'Finish a thread with its result.',
  about:
    'Needs the lease. Repeated with the lease token that finished it, it returns the first result; otherwise a finished thread refuses.',
  ...FINISH,
  run: (context, input) => finishThread(context, 'done', input),
})
