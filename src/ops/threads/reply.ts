import { append } from '../../core/threads/commands.ts'
import { kindOf } from '../../core/vocabulary.ts'
import { introduceAll } from '../agents/introduce.ts'
import { viewMessage } from '../inbox/view.ts'
import { artifacts, body, choice, id, json, name, required, self, text } from '../kit/field.ts'
import { ANYONE, commit, lockThread, mutation, stamp, wordsFrom } from '../kit/operation.ts'
import { addHops } from './hops.ts'
import { mustMaySay } from './may-say.ts'
import { SAID, SAID_ARGS } from './said.ts'

export const reply = mutation({
  name: 'reply',
  summary: 'Answer inside a thread.',
  about:
    'An answer puts a blocked thread back to in_progress; other kinds leave the status as it is. Without --to the reply goes to the other party: the creator writes to the worker, anyone else to the creator.',
  fields: {
    from: required(self('who is writing')),
    to: name('who it is for', { leftOut: 'the other party' }),
    thread: required(id('the thread')),
    kind: choice(
      ['answer', 'question', 'progress', 'control', 'status', 'cancel'],
      'what the message is',
      { leftOut: 'answer' },
    ),
    summary: required(text('the reply in one line')),
    body: body('the rest of the message'),
    payload_json: json('data for programs'),
    artifacts: artifacts('a file the message points at'),
  },
  set: 'threads',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'not_found', 'forbidden'],
  async run(context, input) {
    const given = wordsFrom(input.summary, input)
    return commit(context, { op: 'reply', agent: input.from, input }, async (tx) => {
      const [{ state, now }, words] = await Promise.all([
        lockThread(tx, input.thread),
        addHops(tx, input.from, given),
      ])
      const saying = { from: input.from, to: input.to, kind: kindOf(input.kind ?? 'answer'), words }
      const event = append(state, saying, stamp(context, now, words), 'reply')
      const to = event.message.to_agent
      await mustMaySay(context, tx, { ...saying, to }, state.thread)
      await introduceAll(tx, [input.from, to], { by: input.from, now })
      const { thread } = tx.record(state, event)
      return { thread, message: viewMessage(event.message) }
    })
  },
  answer: SAID,
  lines: async (answer, page) => (await import('./drawing.ts')).drawThread(answer, page),
  tool: {
    name: 'thread_reply',
    does: 'Answer a question in a thread; its worker goes on.',
    args: { thread: { required: true }, ...SAID_ARGS, kind: {}, to: {} },
  },
})
