import { FINISH, finishThread } from './finish.ts'
import { mutation } from './operation.ts'

export const fail = mutation({
  name: 'fail',
  summary: 'Finish a thread as failed, saying why.',
  about:
    'Needs the lease. Repeated with the lease token that failed it, it returns the first result; otherwise a finished thread refuses.',
  ...FINISH,
  run: (context, input) => finishThread(context, 'fail', input),
})
