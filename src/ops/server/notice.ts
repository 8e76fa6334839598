// Lets a door notify its caller without being asked: `noticeMail` when the caller's inbox changes, `noticeMentions`
// when an agent of a workflow is mentioned in its channel. Nothing depends on a notice: the inbox is complete.

import type { House } from '../../core/house.ts'
import type { Principal } from '../../core/principal.ts'
import type { Store } from '../../core/store.ts'
import { nameIn } from '../../core/workflows/channel.ts'
import { instanceIn } from '../../core/workflows/instance.ts'
import { sleepUnlessAborted } from '../../wake/wait.ts'
import { follow } from './tail.ts'

export type NoticeOptions = {
  /** Null if there is no store yet; another program may create one. */
  lookIn: () => House | null | Promise<House | null>
  principal: Principal
  report: (error: unknown) => void
}

/** A store that doesn't exist yet can't ring a bell, so we poll for it. */
const LOOK_AGAIN_MS = 2000
const NOTHING = { end: 0, isNew: false, unread: 0 }

/** Calls `tell` on every change until the returned function is called. Mail that's already there doesn't count. */
export function noticeMail(options: NoticeOptions, tell: () => void): () => void {
  const over = new AbortController()
  watchInbox(options, tell, over.signal).catch(options.report)
  return () => over.abort()
}

async function watchInbox(
  { lookIn, principal: { name }, report }: NoticeOptions,
  tell: () => void,
  signal: AbortSignal,
): Promise<void> {
  const present = await lookIn()
  // In a store that's created later, all mail is new.
  let known =
    present === null ? NOTHING : await readInbox(present.store, name, Number.MAX_SAFE_INTEGER)
  const house = present ?? (await waitForHouse(lookIn, signal))
  if (house === null) return
  const { store, bell } = house
  const look = async (): Promise<null> => {
    const seen = await readInbox(store, name, known.end)
    if (seen.isNew || seen.unread !== known.unread) tell()
    known = seen
    return null
  }
  await follow({ store, bell, look, chores: [], signal, report })
}

/** The house, once there is a store; null if `signal` aborts first. */
async function waitForHouse(
  lookIn: NoticeOptions['lookIn'],
  signal: AbortSignal,
): Promise<House | null> {
  let house = await lookIn()
  while (house === null && !signal.aborted) {
    await sleepUnlessAborted(LOOK_AGAIN_MS, signal)
    house = await lookIn()
  }
  return house
}

async function readInbox(store: Store, recipient: string, after: number) {
  // `lastEventId` is read first, so the next read finds any mail sent after it.
  const [last, found, unread] = await Promise.all([
    store.lastEventId(),
    store.heads({ recipient, after, limit: 1 }),
    store.unread(recipient),
  ])
  // Mail sent between the two reads may already be in `found`. The next read must not report it as new again.
  const end = Math.max(last, found[0]?.event_id ?? 0)
  return { end, isNew: found.length > 0, unread }
}

export type Mention = { from: string; target: string; message: string; timestamp: string }

export type MentionNotices = {
  /** Resolves once watching has begun, so that every later mention will be reported. */
  ready: Promise<void>
  stop: () => void
}

const MENTIONS_AT_ONCE = 100

export function noticeMentions(
  options: NoticeOptions,
  tell: (mention: Mention) => void,
): MentionNotices {
  const over = new AbortController()
  const { signal } = over
  const begun = endOfLog(options)
  begun.then((from) => watchMentions(options, from, tell, signal)).catch(options.report)
  return { ready: begun.then(() => {}).catch(() => {}), stop: () => over.abort() }
}

/** The end of the log. It's 0 if there's no store yet: in one that's created later, every mention is new. */
async function endOfLog({ lookIn }: NoticeOptions): Promise<number> {
  const house = await lookIn()
  return house === null ? 0 : house.store.lastEventId()
}

async function watchMentions(
  { lookIn, principal: { name }, report }: NoticeOptions,
  from: number,
  tell: (mention: Mention) => void,
  signal: AbortSignal,
): Promise<void> {
  const house = await waitForHouse(lookIn, signal)
  if (house === null) return
  const { store, bell } = house
  let known = from
  const look = async (): Promise<null> => {
    const end = await store.lastEventId()
    while (known < end && !signal.aborted) {
      const { mentions, last } = await mentionsAfter(store, name, known)
      for (const mention of mentions) tell(mention)
      known = last ?? end
    }
    return null
  }
  await follow({ store, bell, about: [name], look, chores: [], signal, report })
}

async function mentionsAfter(
  store: Store,
  recipient: string,
  after: number,
): Promise<{ mentions: Mention[]; last: number | undefined }> {
  const found = await store.inbox({ recipient, unreadOnly: true, after, limit: MENTIONS_AT_ONCE })
  const last = found.at(-1)?.event_id
  if (last === undefined) return { mentions: [], last }
  const instance = instanceIn(recipient)
  const channel = (await store.instance(instance))?.thread_id
  const mentions = found
    .filter(({ thread_id }) => thread_id === channel)
    .map(({ from_agent, body, created_at }) => ({
      from: nameIn(from_agent, instance),
      target: nameIn(recipient, instance),
      message: body,
      timestamp: created_at,
    }))
  return { mentions, last }
}
