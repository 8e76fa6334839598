// Requests as threads. The thread stays open, for a resolved request can still be commented on; how far the request has
// come is in its record (request-record.ts). So nothing that asks for work ever finds one.

import { MAIL_SHAPES, type MailFacts } from '../mail/mail-facts.ts'
import { operation } from '../sentence.ts'
import type { Kind } from '../threads/kind.ts'

type RequestThreadMove = 'answer' | 'note' | 'read'
type CommentFacts = { type: 'request_comment' } & MailFacts

export const REQUEST: Kind<'open', RequestThreadMove, CommentFacts> = {
  moves: {
    open: { answer: 'open', note: 'open', read: 'open' },
  },
  first: 'open',
  leased: false,
  set: 'requests',
  sight: { person: 'all', system: 'all', service: 'all', orchestrator: 'all', agent: 'begun' },
  ofWorkspaces: false,
  answerWith: (request) => operation('comment', { request }),
  // The people have the request before them already, so its agent may go on writing there.
  letters: { event: 'request_comment', reachPeople: true, fromSystem: false },
  // Comments by people are kept for the agent, which may come back for them.
  bounces: false,
  retention: 'finished',
  events: {
    request_comment: { says: 'anything', by: 'anyone', facts: MAIL_SHAPES },
  },
}
