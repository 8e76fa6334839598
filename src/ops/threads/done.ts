import { mutation } from '../kit/operation.ts'
import { FINISH, finishThread } from './finish.ts'
import { MESSAGE_ARGS, THREAD_ARG, TOKEN_ARG } from './message-fields.ts'

export const done = mutation({
  name: 'done',
  example: 'done k3f9p2 "Login page written" --agent worker',
  summary: 'Finish a thread with its result.',
  about:
    'Needs the lease. A retry with the lease token that finished the thread returns the first result; any other call on a finished thread is refused.',
  ...FINISH,
  run: (context, input) => finishThread(context, 'done', input),
  lines: async (answer, page) => (await import('./drawing.ts')).drawThread(answer, page),
  tool: {
    name: 'thread_done',
    does: 'Finish work you hold, with its result.',
    args: { thread: THREAD_ARG, ...MESSAGE_ARGS, lease_token: TOKEN_ARG },
  },
})
