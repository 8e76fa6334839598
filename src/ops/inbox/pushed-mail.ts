// A push is mail to people. Its documents aren't part of the message body, so they're listed next to it.

import type { InboxItem } from '../../core/inbox/inbox-reads.ts'
import type { PushItem } from '../../core/pushes/push-reads.ts'
import { readStored } from '../../core/shallow.ts'
import type { Store } from '../../core/store.ts'
import type { InboxMessage } from './mail-view.ts'
import { viewDoc } from './view.ts'
import { hideAgentSession } from './without-session.ts'

export async function addEntries(
  store: Store,
  { recipient, isOwn }: { recipient: string; isOwn: boolean },
  items: readonly InboxItem[],
  messages: InboxMessage[],
): Promise<InboxMessage[]> {
  const threads = [...new Set(items.map(({ thread_id }) => thread_id))]
  const pushes = await Promise.all(threads.map((threadId) => store.push(threadId, recipient)))
  const labels = await labelsOf(store, pushes)
  const byMessage = new Map(pushes.flatMap((push) => (push ? [[push.message_id, push]] : [])))
  return messages.map((message) => {
    const push = byMessage.get(message.id)
    if (push === undefined) return message
    const entry = {
      entry_id: push.thread_id,
      form: push.form,
      workspace_label: labels.get(push.workspace_id) ?? push.workspace_label,
      docs: push.artifacts.map(viewDoc),
    }
    if (isOwn) return { ...message, entry }
    // The orchestrator can look here, too, but must not see the session.
    return { ...message, metadata: readStored(hideAgentSession(push.payload_json)), entry }
  })
}

async function labelsOf(
  store: Store,
  pushes: readonly (PushItem | null)[],
): Promise<Map<string, string>> {
  if (pushes.every((push) => push === null)) return new Map()
  return new Map((await store.workspaces()).map(({ workspace_id, label }) => [workspace_id, label]))
}
