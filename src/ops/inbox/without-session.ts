// Anyone with the id of an agent's session can resume it. So only people see the full origin of a push; others see only
// the program.

import type { Principal } from '../../core/principal.ts'
import { storedOrigin } from '../../core/pushes/push.ts'
import { PUSHES } from '../../core/pushes/push-record.ts'
import { readStored } from '../../core/shallow.ts'
import type { Reads } from '../../core/store.ts'
import type { Message } from '../../core/threads/message.ts'

type StoredMessage = Pick<Message, 'thread_id' | 'seq' | 'from_agent' | 'payload_json'>

/** Removes session ids from stored messages, for a door that has identified its caller. */
export async function hideAgentSessions<M extends StoredMessage>(
  store: Reads,
  viewer: Principal | undefined,
  messages: readonly M[],
): Promise<M[]> {
  if (viewer === undefined || viewer.kind === 'person') return [...messages]
  return Promise.all(
    messages.map(async (message) => {
      const isOwn = message.from_agent === viewer.name
      // Only the first message of a push contains its origin.
      if (message.seq > 1 || isOwn || !message.payload_json.includes('origin')) return message
      const push = await store.rowOf(PUSHES, message.thread_id)
      return push === null
        ? message
        : { ...message, payload_json: hideAgentSession(message.payload_json) }
    }),
  )
}

export function hideAgentSession(payload_json: string): string {
  const { session: _, folder: __, ...origin } = storedOrigin(payload_json)
  return JSON.stringify({ ...Object(readStored(payload_json)), origin })
}
