import { mutation } from '../kit/operation.ts'
import { FINISH, finishThread } from './finish.ts'
import { SHORT_MESSAGE_ARGS, THREAD_ARG, TOKEN_ARG } from './message-fields.ts'

export const fail = mutation({
  name: 'fail',
  example: 'fail k3f9p2 "No access to the repository" --agent worker',
  summary: 'Finish a thread as failed, with the reason.',
  about:
    'Needs the lease. A retry with the lease token that failed the thread returns the first result; any other call on a finished thread is refused.',
  ...FINISH,
  run: (context, input) => finishThread(context, 'fail', input),
  lines: async (answer, page) => (await import('./drawing.ts')).drawThread(answer, page),
  tool: {
    name: 'thread_fail',
    does: 'Give up work you hold, with the reason.',
    args: { thread: THREAD_ARG, ...SHORT_MESSAGE_ARGS, lease_token: TOKEN_ARG },
  },
})
