// A message in a thread of work that exists, as `reply` and `send` write it.

import type { Tx } from '../../core/store.ts'
import { append } from '../../core/threads/commands.ts'
import type { Words } from '../../core/threads/message.ts'
import { workKindOf } from '../../core/vocabulary.ts'
import { introduceAll } from '../agents/introduce.ts'
import { notWoken } from '../inbox/not-woken.ts'
import { viewMessage } from '../inbox/view.ts'
import { type Context, lockThread, stamp } from '../kit/operation.ts'
import { answeredBy, hearerOf } from './answered.ts'
import { addHops } from './hops.ts'
import { mustMaySay } from './may-say.ts'

type SayWish = {
  thread: string
  from: string
  /** Absent for whoever is to hear it: who wrote what it answers, or the other party. */
  to: string | undefined | Promise<string>
  kind: Parameters<typeof workKindOf>[0]
  words: Words
  /** The message that it answers, if the writer says so. */
  answered?: string | undefined
  as: 'reply' | 'append'
}

export async function sayInThread(context: Context, tx: Tx, saying: SayWish) {
  const { from } = saying
  const kind = workKindOf(saying.kind)
  const [{ state, now }, words, answers, addressee] = await Promise.all([
    lockThread(tx, saying.thread),
    addHops(tx, from, saying.words),
    answeredBy(tx, { thread: saying.thread, from, kind, named: saying.answered }),
    saying.to,
  ])
  const to = addressee ?? (await hearerOf(tx, state.thread, { from, answers }))
  const want = { from, to, kind, words, answers }
  const event = append(state, want, stamp(context, now, words), saying.as)
  const { to_agent } = event.message
  await mustMaySay(context, tx, { from, to: to_agent }, state.thread)
  const [sleeping] = await Promise.all([
    notWoken(tx, event, now),
    introduceAll(tx, [from, to_agent], { by: from, now }),
  ])
  const { thread } = tx.record(state, event)
  return { thread, message: viewMessage(event.message), ...sleeping }
}
