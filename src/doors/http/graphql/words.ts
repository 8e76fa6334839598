// Refusals with the schema's names for fields and operations.

import { CODES, type Refusal } from '../../../core/error.ts'
import { camelCase, type DoorWords } from '../../../core/sentence.ts'
import { wordsAt } from '../words.ts'

/** Arguments whose names or places differ from the operation's fields. */
const ARGUMENTS: Record<string, string> = {
  request: 'id',
  notes: 'input.reviewNotes',
  values: 'input.decisionValues',
  payload: 'input.config',
  from: 'requesterId',
  to: 'recipientId',
  agent: 'requesterId',
  workspace: 'workspaceId',
  body: 'input.content',
  grace_seconds: 'input.graceSeconds',
  thread: 'input.linkedId',
}

const OPERATIONS: Record<string, string> = {
  'request create': 'createInboxItem',
  'request list': 'inboxItems',
  'request get': 'inboxItem',
  approve: 'approveInboxItem',
  reject: 'rejectInboxItem',
  'request-revision': 'requestRevisionInboxItem',
  resubmit: 'resubmitInboxItem',
  'cancel-request': 'cancelInboxItem',
  comment: 'addInboxItemComment',
  'undo-decision': 'undoInboxItemDecision',
  'request link': 'addInboxItemLink',
  'request unlink': 'removeInboxItemLink',
}

const elsewhere = wordsAt()

const field = (name: string) => ARGUMENTS[name] ?? camelCase(name.replaceAll('_', '-'))

const WORDS: DoorWords = {
  field,
  caller: field,
  operation(name, input) {
    const own = OPERATIONS[name]
    if (own === undefined) return elsewhere.operation(name, input)
    const given = Object.entries(input).map(([key, value]) => {
      return `${field(key)}: ${JSON.stringify(value)}`
    })
    return given.length === 0 ? own : `${own}(${given.join(', ')})`
  },
}

export type GraphRefusal = {
  message: string
  extensions: { code: string; status: number; details: Record<string, unknown> }
}

export function inGraphWords(refusal: Refusal): GraphRefusal {
  const { code, details } = refusal
  return {
    message: refusal.inWords(WORDS),
    extensions: { code, status: CODES[code].http, details },
  }
}
