// Read, unread, trash, restore and delete: what people do with pushes. All the pushes in a call are changed in one
// transaction, each under its lock.

import { isPerson } from '../../core/agents/agent.ts'
import { refuse } from '../../core/error.ts'
import { isUnread } from '../../core/inbox/delivery.ts'
import { post, step } from '../../core/mail/mail.ts'
import { handlePush, isPush, mustBePush } from '../../core/pushes/push.ts'
import type { LockedThread, Tx } from '../../core/store.ts'
import type { Message } from '../../core/threads/message.ts'
import { pushesSeenBy, sees } from '../inbox/visible-thread.ts'
import { type AnswerOf, aList, aNumber, aText, CURSOR, maybe } from '../kit/answer.ts'
import { commit, stamp } from '../kit/commit.ts'
import { type Input, list, required, self } from '../kit/field.ts'
import { type Context, PEOPLE, type WithKey } from '../kit/operation.ts'
import { type PushViewer, personLooking, unknownPush } from './push-view.ts'

const MOST = 500

const HANDLED = {
  changed: aList(aText('an id'), 'the ones that changed'),
  kept_replies: maybe(
    aNumber('after a deletion: how many replies were never shown and stay as mail'),
  ),
  unread: aNumber('how many are unread now'),
  next_event_id: CURSOR,
}

export type HandlingAnswer = AnswerOf<typeof HANDLED>

export const HANDLES = {
  fields: {
    agent: self('the person making the change', { leftOut: 'user' }),
    entries: required(list('a push', { max: MOST, positional: true })),
  },
  set: 'workspace',
  callers: PEOPLE,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check: checkEntries,
  answer: HANDLED,
} as const

export type Handling = 'read' | 'unread' | 'trash' | 'restore' | 'delete'

function checkEntries({ entries }: { entries: string[] }): void {
  if (entries.length === 0) throw refuse.invalid_input`name an entry`
}

export async function handle(
  context: Context,
  act: Handling,
  input: Input<WithKey<(typeof HANDLES)['fields']>>,
): Promise<HandlingAnswer> {
  const viewer = personLooking(context, input.agent)
  const { name: person } = viewer
  const call = { op: `push ${act}`, agent: person, input }
  const done = await commit(context, call, async (tx) => {
    const locks = await tx.lockAll(input.entries)
    const changed: string[] = []
    let kept_replies = 0
    for (const entryId of input.entries.toSorted()) {
      const lock = locks.find(({ state }) => state.thread.thread_id === entryId)
      // Replies are saved first, because deleting removes their text.
      if (act === 'delete' && lock !== undefined) {
        kept_replies += await keepReplies(context, tx, lock)
      }
      if (await handleOne(tx, entryId, lock, { act, viewer })) changed.push(entryId)
    }
    return { changed, ...(kept_replies > 0 ? { kept_replies } : {}) }
  })
  const { store } = context
  const only = await pushesSeenBy(store, viewer.by)
  return { ...done, unread: await store.unreadPushes(person, only) }
}

async function handleOne(
  tx: Tx,
  entryId: string,
  lock: LockedThread | undefined,
  { act, viewer: { name: person, by } }: { act: Handling; viewer: PushViewer },
): Promise<boolean> {
  const thread = lock?.state.thread
  if (!isPush(thread) || !(await sees(tx, by, thread))) throw unknownPush(entryId)
  const { state, now } = lock as LockedThread
  mustBePush(state.thread)
  const all = await tx.deliveriesOf({ thread_id: entryId })
  const own = all.filter(({ recipient }) => recipient === person)
  if (act === 'read') {
    const left = own.filter(isUnread)
    const which = { recipient: person, messages: left.map(({ message_id }) => message_id) }
    if (left.length === 0) return false
    tx.record(state, step(state.thread, { type: 'delivery_read', by: 'mark' }, which, now))
    return true
  }
  if (act === 'unread') {
    // The latest message is the one this person wants to come back to.
    const last = own.at(-1)
    if (last === undefined || isUnread(last)) return false
    const which = { recipient: person, messages: [last.message_id] }
    tx.record(state, step(state.thread, { type: 'delivery_unread' }, which, now))
    return true
  }
  const recipients = [...new Set(all.map(({ recipient }) => recipient))]
  const event = handlePush(state, { act, by: person, recipients }, now)
  if (event !== null) tx.record(state, event)
  return event !== null
}

/** Keeps a reply that its agent hasn't been shown yet as mail in its own thread, because all mail must arrive. */
async function keepReplies(
  context: Context,
  tx: Tx,
  { state, now }: LockedThread,
): Promise<number> {
  const all = await tx.deliveriesOf({ thread_id: state.thread.thread_id })
  const queued = all.filter((one) => !isPerson(one.recipient) && one.state === 'queued')
  for (const { recipient, message_id, kind, expires_at } of queued) {
    const {
      from_agent: from,
      summary,
      body,
      payload_json,
      hops,
    } = (await tx.message(message_id)) as Message
    const words = { summary, body, payload_json, hops }
    const posting = { from, address: recipient, recipients: [recipient], kind, words, expires_at }
    const letter = { ...posting, thread_id: context.makeId('thread') }
    tx.record(null, post(letter, stamp(context, now)))
  }
  return queued.length
}
