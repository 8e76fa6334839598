// What tools take that say something in a thread.

import { type Arg, TEXTS } from '../kit/tool.ts'

export const SAID_ARGS: Record<string, Arg> = {
  summary: { required: true },
  body: {},
  payload_json: { shape: { type: 'object' } },
  artifacts: { shape: TEXTS, paths: true },
}
