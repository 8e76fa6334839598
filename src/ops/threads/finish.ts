import { finish, isSameFinish } from '../../core/threads/commands.ts'
import type { Thread } from '../../core/threads/thread.ts'
import { introduceStrangers, sortKnown } from '../agents/introduce.ts'
import { listNotWoken, NOT_WOKEN, type NotWoken } from '../inbox/not-woken.ts'
import { type MessageView, viewMessage } from '../inbox/view.ts'
import {
  commit,
  FIRST_LINE,
  holderOf,
  lockThread,
  mustHaveSummary,
  stamp,
  wordsFrom,
} from '../kit/commit.ts'
import { artifacts, body, type Input, id, json, required, self, text } from '../kit/field.ts'
import { ANYONE, type Context, type WithKey } from '../kit/operation.ts'
import { findHeldThread } from './held-thread.ts'
import { MESSAGE_ANSWER } from './message-fields.ts'
import { addHops } from './say-in-thread.ts'

const FINISH_FIELDS = {
  agent: required(self('the agent that holds the thread')),
  thread: id('the thread', { positional: true, leftOut: 'the one the agent holds' }),
  summary: text('the result, or what went wrong', { positional: true, leftOut: FIRST_LINE }),
  body: body('the rest of the message'),
  payload_json: json('data for programs'),
  artifacts: artifacts('a file the message refers to'),
  lease_token: text('identifies the lease; makes a retry safe', { max: 128 }),
}

export const FINISH = {
  fields: FINISH_FIELDS,
  set: 'threads',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'lease_conflict', 'not_found'],
  check: mustHaveSummary,
  answer: { ...MESSAGE_ANSWER, not_woken: NOT_WOKEN },
} as const

type FinishInput = Input<WithKey<typeof FINISH_FIELDS>>

export async function finishThread(context: Context, as: 'done' | 'fail', input: FinishInput) {
  const given = wordsFrom(input)
  type FinishAnswer = { thread: Thread; message: MessageView } & NotWoken
  return commit<FinishAnswer>(context, { op: as, agent: input.agent, input }, async (tx) => {
    const threadId = input.thread ?? (await findHeldThread(tx, input.agent))
    const [locked, { strangers }, words, creator] = await Promise.all([
      lockThread(tx, threadId),
      sortKnown(tx, [input.agent]),
      addHops(tx, input.agent, given),
      tx.creatorOf(threadId),
    ])
    const { state } = locked
    if (isSameFinish(state, as, input.lease_token)) {
      const first = await tx.message(state.thread.latest_message_id)
      if (first !== null) return { thread: state.thread, message: viewMessage(first) }
    }
    const holder = await holderOf(tx, locked, input.agent, input.lease_token)
    const event = finish(state, { holder, as, words }, stamp(context, locked.now, words))
    await introduceStrangers(tx, strangers, { by: input.agent, now: locked.now })
    const sleeping = await listNotWoken(tx, event, locked.now, creator)
    const { thread } = tx.record(state, event)
    return { thread, message: viewMessage(event.message), ...sleeping }
  })
}
