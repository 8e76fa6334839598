// Requests as threads. The thread stays open, because a resolved request can still be commented on; its progress is in
// its record (request-record.ts). So code that looks for work never finds a request.

import { operation, refuse } from '../error.ts'
import { isObject, type Json } from '../json.ts'
import { MAIL_SHAPES, type MailFacts } from '../mail/mail-facts.ts'
import { readStored } from '../shallow.ts'
import type { Reads } from '../store.ts'
import type { Hearers, Kind } from '../threads/kind.ts'
import type { Words } from '../threads/message.ts'
import { hearersOf } from './hearers.ts'
import { REQUESTS } from './request-record.ts'

type RequestThreadMove = 'answer' | 'note' | 'read'
type CommentFacts = { type: 'request_comment' } & MailFacts

/** The prefix of a comment's subject, so that no one who reads only the subject mistakes it for a decision. */
const COMMENT = 'comment: '

function asComment(words: Words): Words {
  const said = readStored(words.payload_json ?? '{}')
  if (isObject(said as Json) && Object.hasOwn(said as object, 'decision'))
    throw refuse.invalid_input`a comment on a request cannot carry a decision in its metadata; leave decision out, or decide with ${operation('approve')} or ${operation('reject')}`
  const { summary } = words
  return summary.startsWith(COMMENT) ? words : { ...words, summary: `${COMMENT}${summary}` }
}

async function hearersIn(
  reads: Pick<Reads, 'rowOf' | 'people'>,
  id: string,
  from: string,
): Promise<Hearers> {
  const [request, people] = await Promise.all([reads.rowOf(REQUESTS, id), reads.people()])
  if (request === null) throw new Error(`the thread ${id} has no request`)
  return { ...hearersOf(request, people, from), about: request.revision_message }
}

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
  // The people already have the request, so its agent can keep writing there.
  letters: {
    event: 'request_comment',
    reachPeople: true,
    fromSystem: false,
    inThread: asComment,
    hearersIn,
  },
  // Comments by people are kept for the agent, which may come back for them.
  bounces: false,
  retention: 'resolved',
  events: {
    request_comment: { says: 'anything', by: 'anyone', facts: MAIL_SHAPES },
  },
}
