// Pushes as threads. A trashed push can be restored, explicitly or by writing in it; a deleted one can't.

import { operation, type Refusal, refuse } from '../error.ts'
import type { Kind } from '../threads/kind.ts'

type PushStatus = 'open' | 'trashed' | 'deleted'
type PushMove = 'answer' | 'note' | 'read' | 'trash' | 'restore' | 'delete'

export const PUSH: Kind<PushStatus, PushMove, never> = {
  moves: {
    open: { answer: 'open', note: 'open', read: 'open', trash: 'trashed', delete: 'deleted' },
    trashed: { answer: 'open', note: 'open', read: 'trashed', restore: 'open', delete: 'deleted' },
    deleted: { read: 'deleted' },
  },
  first: 'open',
  leased: false,
  set: 'workspace',
  sight: { person: 'all', system: 'all', service: 'all', orchestrator: 'all', agent: 'begun' },
  ofWorkspaces: true,
  answerWith: (entry) => operation('push reply', { entry }),
  // The person already has the push, so its agent can keep writing there.
  letters: {
    event: 'push_reply',
    refuseLate: deletedPush,
    reachPeople: true,
    fromSystem: false,
  },
  // A person's message in a push is kept for the push's agent, as the person was told when writing it.
  bounces: false,
  retention: 'trashed',
  // Every event of a push changes the push as well as its thread, so they're declared in push-record.ts.
  events: {},
}

export function deletedPush(entryId: string): Refusal {
  return refuse.not_found`the push ${entryId} was deleted; see ${operation('push history')}`
}
