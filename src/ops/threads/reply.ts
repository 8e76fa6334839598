import { isPerson } from '../../core/agents/agent.ts'
import { Refusal } from '../../core/error.ts'
import { NOT_WOKEN } from '../inbox/not-woken.ts'
import { commit, FIRST_LINE, mustHaveSummary, wordsFrom } from '../kit/commit.ts'
import { artifacts, body, choice, id, json, name, required, self, text } from '../kit/field.ts'
import { ANYONE, mutation } from '../kit/operation.ts'
import { MESSAGE_ANSWER, SHORT_MESSAGE_ARGS, THREAD_ARG } from './message-fields.ts'
import { findPlace, sayInThread } from './say-in-thread.ts'

export const reply = mutation({
  name: 'reply',
  example: 'reply k3f9p2 "Blue, like the logo"',
  summary: 'Reply to a question, a message, a push or a request.',
  about:
    'An answer goes to the author of the open question, refers to it, and returns the thread to in_progress; an answer to any other question, or a reply of any other kind, leaves the status unchanged. --in-reply-to names a different message to answer. If there is nothing to answer, the reply goes to the other party: from the creator to the worker, from anyone else to the creator. To stop the worker, use cancel. In the thread of a request a reply is a comment; in mail or in a push it goes to the author of the last message, or of the one it names.',
  fields: {
    from: required(self('who is writing', { orOwner: true })),
    to: name('who it is for', {
      leftOut: 'the author of the message it answers, or the other party',
    }),
    thread: required(
      id('the thread, or a message, a push or a request', { positional: true, orMessage: true }),
    ),
    kind: choice(
      ['answer', 'question', 'progress', 'control', 'status', 'cancel'],
      'what the message is',
      { leftOut: 'answer' },
    ),
    in_reply_to: id('the message this answers', { leftOut: 'for an answer the open question' }),
    summary: text('the reply in one line', { positional: true, leftOut: FIRST_LINE }),
    body: body('the rest of the message'),
    payload_json: json('data for programs'),
    artifacts: artifacts('a file the message refers to'),
  },
  set: 'threads',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'not_found', 'forbidden'],
  check: mustHaveSummary,
  async run(context, input) {
    const { from, to, kind = 'answer' } = input
    const words = wordsFrom(input)
    const saying = { from, to, kind, words, as: 'reply' } as const
    try {
      const said = await commit(context, { op: 'reply', agent: from, input }, async (tx) =>
        sayInThread(context, tx, { ...saying, ...(await findPlace(tx, input)) }),
      )
      if (said.thread.kind !== 'request' || !isPerson(from)) return said
      const { warnIfPending } = await import('./reply-letter.ts')
      return await warnIfPending(context.store, said, from)
    } catch (error) {
      // In a thread that isn't work, a reply is a letter. That's rare, so it's checked and loaded only here.
      if (!(error instanceof Refusal)) throw error
      const { mustSeePlace, replyByLetter } = await import('./reply-letter.ts')
      await mustSeePlace(context, input)
      if (error.details.kind === undefined) throw error
      return replyByLetter(context, input, words)
    }
  },
  answer: { ...MESSAGE_ANSWER, not_woken: NOT_WOKEN },
  lines: async (answer, page) => (await import('./drawing.ts')).drawThread(answer, page),
  tool: {
    name: 'thread_reply',
    does: 'Answer a question in a thread; its worker continues.',
    args: {
      thread: THREAD_ARG,
      ...SHORT_MESSAGE_ARGS,
      kind: { shape: { type: 'string' }, about: 'default answer' },
      to: { about: 'a different recipient', unlisted: true },
      in_reply_to: { about: 'message id' },
    },
  },
})
