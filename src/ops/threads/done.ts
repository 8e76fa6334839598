import { mutation } from '../kit/operation.ts'
import { FINISH, finishThread } from './finish.ts'
import { SAID_ARGS } from './tool-args.ts'

export const done = mutation({
  name: 'done',
  summary: 'Finish a thread with its result.',
  about:
    'Needs the lease. A retry with the lease token that finished the thread returns the first result; any other call on a finished thread is refused.',
  ...FINISH,
  run: (context, input) => finishThread(context, 'done', input),
  tool: {
    name: 'thread_done',
    does: 'Finish work you hold, with its result.',
    args: { thread: { required: true }, ...SAID_ARGS, lease_token: {} },
  },
})
