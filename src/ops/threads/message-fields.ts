import { MESSAGE, THREAD } from '../inbox/view.ts'
import { CURSOR } from '../kit/answer.ts'
import { type Arg, TEXTS } from '../kit/tool.ts'

export const MESSAGE_ANSWER = { thread: THREAD, message: MESSAGE, next_event_id: CURSOR }

export const MESSAGE_ARGS: Record<string, Arg> = {
  summary: { about: 'one line' },
  body: { about: 'the rest' },
  payload_json: { shape: { type: 'object' }, about: 'data', unlisted: true },
  artifacts: { shape: TEXTS, paths: true, about: 'paths' },
}

/** For tools that rarely get files. */
export const SHORT_MESSAGE_ARGS: Record<string, Arg> = {
  ...MESSAGE_ARGS,
  artifacts: { shape: TEXTS, paths: true, about: 'paths', unlisted: true },
}

export const THREAD_ARG: Arg = { required: true, about: 'its id' }
export const TOKEN_ARG: Arg = { about: 'from your claim' }
export const CURSOR_ARG: Arg = { about: 'next_event_id' }
