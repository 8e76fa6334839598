import type { Artifact, Message } from '../threads/message.ts'
import type { Thread } from '../threads/thread.ts'
import type { Push, PushForm } from './push.ts'

export interface PushLooks {
  /** Newest first: at most `limit`, and no more than fit in one read (page-bytes.ts). */
  pushes(filter: PushFilter): Promise<PushItem[]>
  push(entryId: string, reader: string): Promise<PushItem | null>
  /** The number of pushes that a person hasn't read or has marked as unread. */
  unreadPushes(
    reader: string,
    which?: { form?: PushForm | undefined; workspaceId?: string | undefined },
  ): Promise<number>
  trashedPushes(which: {
    workspaceId?: string | undefined
    from?: string | undefined
  }): Promise<number>
}

/** A push as one reader sees it, with its first message and its unread count. */
export type PushItem = Push &
  Pick<Message, 'message_id' | 'from_agent' | 'summary' | 'body' | 'payload_json' | 'imported_by'> &
  Pick<Thread, 'message_count' | 'status'> & {
    event_id: number
    unread: number
    artifacts: Artifact[]
  }

export type PushFilter = {
  /** The reader whose unread messages are counted. */
  reader: string
  trashed: boolean
  workspaceId?: string | undefined
  form?: PushForm | undefined
  from?: string | undefined
  unreadOnly?: boolean | undefined
  /** Returns only entries after this one in the list; none if it doesn't exist. */
  before?: string | undefined
  limit: number
}
