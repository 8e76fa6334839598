import { update as decideUpdate } from '../../core/threads/commands.ts'
import { introduceStrangers, sortKnown } from '../agents/introduce.ts'
import { listNotWoken, NOT_WOKEN } from '../inbox/not-woken.ts'
import { GRANT, grant, viewMessage } from '../inbox/view.ts'
import {
  commit,
  FIRST_LINE,
  holderOf,
  lockThread,
  mustHaveSummary,
  stamp,
  wordsFrom,
} from '../kit/commit.ts'
import { artifacts, body, choice, id, json, required, self, text } from '../kit/field.ts'
import { ANYONE, mutation } from '../kit/operation.ts'
import { findHeldThread } from './held-thread.ts'
import { MESSAGE_ANSWER, MESSAGE_ARGS, THREAD_ARG, TOKEN_ARG } from './message-fields.ts'
import { addHops } from './say-in-thread.ts'

export const update = mutation({
  name: 'update',
  example: 'update k3f9p2 "Which colour?" --status blocked --agent worker',
  summary: 'Report progress, or ask a question you are blocked on.',
  about:
    'Every report renews the lease for its full length. in_progress writes a progress message. blocked writes a question to the creator of the thread; its summary must say exactly what is missing. To offer answers to choose from, set payload_json to {"options": ["this", "that"]}, with up to nine options; the web app numbers them. Then wait with wait-reply.',
  fields: {
    agent: required(self('the agent that holds the thread')),
    thread: id('the thread', { positional: true, leftOut: 'the one the agent holds' }),
    status: required(choice(['in_progress', 'blocked'], 'the new status')),
    summary: text('what was done, or the question', {
      positional: true,
      leftOut: FIRST_LINE,
    }),
    body: body('the rest of the message'),
    payload_json: json('data for programs'),
    artifacts: artifacts('a file the message refers to'),
    lease_token: text('identifies the lease', { max: 128 }),
  },
  set: 'threads',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'lease_conflict', 'not_found'],
  check: mustHaveSummary,
  async run(context, input) {
    const given = wordsFrom(input)
    const isQuestion = input.status === 'blocked'
    return commit(context, { op: 'update', agent: input.agent, input }, async (tx) => {
      const threadId = input.thread ?? (await findHeldThread(tx, input.agent))
      const [locked, { strangers }, words, creator] = await Promise.all([
        lockThread(tx, threadId),
        sortKnown(tx, [input.agent]),
        // Progress doesn't wake anyone, so only a question needs to know how many hops it is from a person.
        isQuestion ? addHops(tx, input.agent, given) : given,
        isQuestion ? tx.creatorOf(threadId) : null,
      ])
      const holder = await holderOf(tx, locked, input.agent, input.lease_token)
      const event = decideUpdate(
        locked.state,
        { holder, status: input.status, words },
        stamp(context, locked.now, words),
      )
      await introduceStrangers(tx, strangers, { by: input.agent, now: locked.now })
      const sleeping = isQuestion ? await listNotWoken(tx, event, locked.now, creator) : {}
      const { thread, lease } = tx.record(locked.state, event)
      return { thread, message: viewMessage(event.message), lease: grant(lease), ...sleeping }
    })
  },
  answer: { ...MESSAGE_ANSWER, lease: GRANT, not_woken: NOT_WOKEN },
  lines: async (answer, page) => (await import('./drawing.ts')).drawThread(answer, page),
  tool: {
    name: 'thread_update',
    does: 'Report progress; or blocked, with your question as summary, then thread_wait_reply.',
    args: {
      thread: THREAD_ARG,
      status: { required: true, about: 'new' },
      ...MESSAGE_ARGS,
      lease_token: TOKEN_ARG,
    },
  },
})
