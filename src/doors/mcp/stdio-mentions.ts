// Mentions for a visitor over standard input and output. One that opens the older way is told from its beginning; one of
// the newer era for each subscription that it has.

import type { Mention } from '../../ops/server/mention-notice.ts'
import {
  type MentionNotices,
  type NoticeOptions,
  noticeMentions,
} from '../../ops/server/mention-notice.ts'
import { LISTEN, mentionMessage, type RequestId } from './mentions.ts'

type HeardMessage = { method?: unknown; id?: unknown; params?: { requestId?: unknown } }
type MentionMessage = ReturnType<typeof mentionMessage>

export type MentionTelling = {
  /** Hears every message first; the package gets it when the promise resolves, if there is one. */
  hear: (message: unknown) => Promise<void> | undefined
  end: () => void
}

export function makeMentionTelling(
  options: NoticeOptions,
  send: (message: MentionMessage) => Promise<void>,
): MentionTelling {
  const subscriptions = new Set<RequestId | 'all'>()
  /** Mentions that come while the visitor is being introduced are told afterwards. */
  let early: Mention[] | null = []
  let notices: MentionNotices | undefined
  const tell = (mention: Mention) => {
    if (early !== null && subscriptions.has('all')) return void early.push(mention)
    for (const one of subscriptions) {
      const message = one === 'all' ? mentionMessage(mention) : mentionMessage(mention, one)
      void send(message).catch(options.report)
    }
  }
  const begin = (subscription: RequestId | 'all') => {
    subscriptions.add(subscription)
    notices ??= noticeMentions(options, tell)
    return notices.ready
  }
  return {
    hear(message) {
      const { method, id, params } = Object(message) as HeardMessage
      if (method === 'initialize') return begin('all')
      if (method === LISTEN) return begin(id as RequestId)
      if (method === 'notifications/cancelled') {
        subscriptions.delete(params?.requestId as RequestId)
      }
      if (method === 'notifications/initialized') {
        const held = early ?? []
        early = null
        for (const mention of held) tell(mention)
      }
      return undefined
    },
    end: () => notices?.stop(),
  }
}
