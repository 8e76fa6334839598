// Pushes as threads. Trashing a push is undone by restoring it, or by a message in it; deleting is not undone.

import type { Kind } from '../threads/kind.ts'

type PushStatus = 'open' | 'trashed' | 'deleted'
type PushMove = 'answer' | 'note' | 'read' | 'trash' | 'restore' | 'delete'

export const PUSH: Kind<PushStatus, PushMove> = {
  moves: {
    open: { answer: 'open', note: 'open', read: 'open', trash: 'trashed', delete: 'deleted' },
    trashed: { answer: 'open', note: 'open', read: 'trashed', restore: 'open', delete: 'deleted' },
    deleted: { read: 'deleted' },
  },
  first: 'open',
  leased: false,
}
