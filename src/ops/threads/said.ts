// Operations that write in a thread share these fields of their answers, and these arguments of their tools.

import { MESSAGE, THREAD } from '../inbox/view.ts'
import { CURSOR } from '../kit/answer.ts'
import { type Arg, TEXTS } from '../kit/tool.ts'

export const SAID = { thread: THREAD, message: MESSAGE, next_event_id: CURSOR }

export const SAID_ARGS: Record<string, Arg> = {
  summary: { required: true },
  body: {},
  payload_json: { shape: { type: 'object' } },
  artifacts: { shape: TEXTS, paths: true },
}
