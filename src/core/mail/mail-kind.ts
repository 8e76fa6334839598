// Mail: a thread in which agents and people write to each other. Nobody holds it, and it does not end.

import { operation } from '../sentence.ts'
import type { Kind } from '../threads/kind.ts'

export const MAIL: Kind<'open', 'answer' | 'note' | 'read'> = {
  moves: {
    open: { answer: 'open', note: 'open', read: 'open' },
  },
  first: 'open',
  leased: false,
  set: 'mailbox',
  sight: { person: 'all', system: 'all', service: 'party', orchestrator: 'all', agent: 'party' },
  ofWorkspaces: false,
  answerWith: () => operation('mail send', { in_reply_to: 'MESSAGE' }),
  letters: { event: 'mail_append', reachPeople: false, fromSystem: true },
  bounces: true,
  retention: 'settled',
}
