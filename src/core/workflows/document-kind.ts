// A revision of a document as a thread: it begins with the text, and nobody says anything more in it. So the text is a
// message, and log, export, import, doctor and prune treat it as one. What changed, and by whom, is in the revision's
// record (document-record.ts).

import { operation } from '../sentence.ts'
import type { Kind } from '../threads/kind.ts'

type RevisionStatus = 'kept' | 'forgotten'
type RevisionMove = 'read' | 'forget'

export const DOCUMENT: Kind<RevisionStatus, RevisionMove, never> = {
  moves: {
    kept: { read: 'kept', forget: 'forgotten' },
    forgotten: { read: 'forgotten' },
  },
  first: 'kept',
  leased: false,
  set: 'workflow',
  sight: { person: 'all', system: 'all', service: 'party', orchestrator: 'all', agent: 'member' },
  ofWorkspaces: false,
  answerWith: () => operation('workflow context doc write'),
  bounces: false,
  retention: 'outlived',
  // Both are declared with the record.
  events: {},
}
