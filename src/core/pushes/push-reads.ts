// What a store answers about pushes.

import type { Artifact, Message } from '../threads/message.ts'
import type { Thread } from '../threads/thread.ts'
import type { Push, PushForm } from './push.ts'

export interface PushLooks {
  /** Newest first: so many, and no more than there is room for. */
  pushes(filter: PushFilter): Promise<PushItem[]>
  push(entryId: string, reader: string): Promise<PushItem | null>
  /** How many a person has not read, or keeps unread. */
  unreadPushes(
    reader: string,
    which?: { form?: PushForm | undefined; workspaceId?: string | undefined },
  ): Promise<number>
}

/** A push as one reader sees it: with its first message, and how much in it is unread. */
export type PushItem = Push &
  Pick<Message, 'message_id' | 'from_agent' | 'summary' | 'body' | 'payload_json' | 'imported_by'> &
  Pick<Thread, 'message_count' | 'status'> & {
    event_id: number
    unread: number
    artifacts: Artifact[]
  }

export type PushFilter = {
  /** Whose unread is counted. */
  reader: string
  trashed: boolean
  workspaceId?: string | undefined
  form?: PushForm | undefined
  from?: string | undefined
  unreadOnly?: boolean | undefined
  /** Only what comes after this entry in the list; nothing when there is none. */
  before?: string | undefined
  limit: number
}
