// Mail: a thread in which agents and people write to each other. Nobody holds it, and it does not end.

import type { Kind } from '../threads/kind.ts'

export const MAIL: Kind<'open', 'answer' | 'note' | 'read'> = {
  moves: {
    open: { answer: 'open', note: 'open', read: 'open' },
  },
  first: 'open',
  leased: false,
}
