// A revision of a document is a thread whose only message is the content, so the log, export, import, doctor and prune
// treat it like any message. The revision's record (document-record.ts) says what changed and who changed it.

import { operation } from '../error.ts'
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
  // The revision's record declares both events.
  events: {},
}
