// A question is a request like any other. This makes one and waits for it, so that an agent needs only one call.

import { field, refuse } from '../../core/error.ts'
import { firstLine } from '../../core/threads/message.ts'
import { body, byDefault, type Input, int, json, list, name, required, self } from '../kit/field.ts'
import { ANYONE, mutation } from '../kit/operation.ts'
import { TEXTS, WAIT_ARG } from '../kit/tool.ts'
import { describeWait } from '../kit/waiting.ts'
import { requestCreate } from './request-create.ts'
import { AWAITED, type AwaitedRequest, requestWait } from './request-wait.ts'

const FIELDS = {
  agent: required(self('the agent or person asking')),
  text: required(body('the question; its first line is the title', { max: 100_000 })),
  options: list('an answer to choose from; give two or more', { max: 20 }),
  schema: json('the form of the answer: a flat JSON Schema of type object'),
  description: body('what helps to answer it'),
  to: name('the person to ask', { leftOut: 'all people' }),
  // Not part of the call's identity, so it can have a default.
  timeout_seconds: byDefault(
    int('stop waiting after this many seconds; 0 waits forever', { max: 31_536_000 }),
    1800,
  ),
}

const { now: _, ...ANSWERED } = AWAITED

type AskedQuestion = Omit<Input<typeof FIELDS>, 'timeout_seconds'>

export const requestAsk = mutation({
  name: 'request ask',
  example:
    'request ask --text "Which database?" --option SQLite --option PostgreSQL --agent worker --timeout-seconds 1',
  summary: 'Ask a person a question, and wait for the answer.',
  about:
    'Makes a request of type question and waits until it is decided. The answer is in decision.answer, or in decision.values if the question has a form. If the wait times out, the question stays open: keep waiting with request wait, or repeat the call with the same key. A later answer also comes as mail.',
  fields: FIELDS,
  set: 'requests',
  callers: ANYONE,
  blocks: true,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check(input) {
    if (input.text.trim() === '')
      throw refuse.invalid_input`${field('text')} is empty: ask something`
    requestCreate.check?.(asRequest(input))
  },
  async run(context, input): Promise<Omit<AwaitedRequest, 'now'>> {
    // The timeout isn't part of the call's identity, so a retry can wait longer.
    const { timeout_seconds, idempotency_key, ...question } = input
    const asked = await requestCreate.run(context, { ...asRequest(question), idempotency_key })
    const { request_id: request } = asked
    const awaited = await requestWait.run(context, { agent: input.agent, request, timeout_seconds })
    // `now` is left out: a repeated call must give the same answer.
    const { now: _, ...answer } = awaited
    return answer
  },
  nothing: ({ woke }) => !woke,
  takesLong: (_, agent) => describeWait('the answer of a person', agent),
  answer: ANSWERED,
  lines: async (answer, page) => (await import('./drawing.ts')).drawAwaited(answer, page),
  tool: {
    name: 'ask_user',
    does: 'Ask the user a question that only they can answer, and wait. Give options, or a schema for a form, where the answer must be one of few. The answer is decision.answer or decision.values.',
    args: {
      text: { required: true, about: 'the question, with what you would choose' },
      options: { shape: TEXTS, about: 'two or more answers' },
      schema: { shape: { type: 'object' }, about: 'flat JSON Schema' },
      timeout_seconds: WAIT_ARG,
    },
    nothing:
      'Asked, but not answered yet: call wait_request, or continue with other work. The answer also comes as mail.',
  },
})

function asRequest({ agent, text, options, schema, description, to }: AskedQuestion) {
  // The schema is inserted as a string, so that its numbers stay exactly as given.
  const form = schema === undefined ? '' : `,"schema":${schema}`
  const head = JSON.stringify({ text, options }).slice(0, -1)
  const title = firstLine(text)
  return { agent, type: 'question', title, description, to, payload: `${head}${form}}` }
}
