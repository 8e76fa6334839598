// Tells when an agent of a workflow is mentioned in its channel, for doors that can tell their caller without being
// asked. What is told is also in the agent's inbox, so nothing depends on it.

import type { Store } from '../../core/store.ts'
import { nameIn } from '../../core/workflows/channel.ts'
import { instanceIn } from '../../core/workflows/instance.ts'
import { sleepUnlessAborted } from '../../wake/wait.ts'
import type { House } from '../call.ts'
import type { NoticeOptions } from './notice.ts'
import { follow } from './tail.ts'

export type { NoticeOptions }

export type Mention = { from: string; target: string; message: string; timestamp: string }

export type MentionNotices = {
  /** Resolves when every later mention will be told. */
  ready: Promise<void>
  stop: () => void
}

/** Nobody rings for a store that does not exist yet. */
const LOOK_AGAIN_MS = 2000
const AT_ONCE = 100

export function noticeMentions(
  options: NoticeOptions,
  tell: (mention: Mention) => void,
): MentionNotices {
  const over = new AbortController()
  const { signal } = over
  const begun = begin(options)
  begun.then((from) => watch(options, from, tell, signal)).catch(options.report)
  return { ready: begun.then(() => {}).catch(() => {}), stop: () => over.abort() }
}

/** Where the log ends now; in a store that is made later, everything is news. */
async function begin({ lookIn }: NoticeOptions): Promise<number> {
  const house = await lookIn()
  return house === null ? 0 : house.store.lastEventId()
}

async function watch(
  { lookIn, principal: { name }, report }: NoticeOptions,
  from: number,
  tell: (mention: Mention) => void,
  signal: AbortSignal,
): Promise<void> {
  let house: House | null = await lookIn()
  while (house === null && !signal.aborted) {
    await sleepUnlessAborted(LOOK_AGAIN_MS, signal)
    house = await lookIn()
  }
  if (house === null) return
  const { store, bell } = house
  let known = from
  const look = async (): Promise<null> => {
    const end = await store.lastEventId()
    while (known < end && !signal.aborted) {
      const { mentions, last } = await mentionsAfter(store, name, known)
      for (const mention of mentions) tell(mention)
      if (last === undefined) known = Math.max(known, end)
      else known = last
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
  const found = await store.inbox({ recipient, unreadOnly: true, after, limit: AT_ONCE })
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
