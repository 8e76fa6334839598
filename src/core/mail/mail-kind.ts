// Mail: a thread in which agents and people write to each other. It has no holder and no end.

import { operation } from '../error.ts'
import { text } from '../shape.ts'
import type { Kind } from '../threads/kind.ts'
import { MAIL_SHAPES, type MailFacts } from './mail-facts.ts'

type MailMove = 'answer' | 'note' | 'read'
type LetterFacts =
  | ({ type: 'mail_send'; subject: string } & MailFacts)
  | ({ type: 'mail_append' } & MailFacts)

export const MAIL: Kind<'open', MailMove, LetterFacts> = {
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
  retention: 'handled',
  events: {
    mail_send: {
      begins: 'mail',
      says: 'anything',
      by: 'anyone',
      // Imported mail need not have a subject.
      facts: { subject: text({ orEmpty: true }), ...MAIL_SHAPES },
    },
    mail_append: { says: 'anything', by: 'anyone', facts: MAIL_SHAPES },
  },
}
