import { body, required } from '../kit/field.ts'
import { mutation, OPERATORS } from '../kit/operation.ts'
import { DECIDED, DECISION_FIELDS, decide, drawDecision } from './decide.ts'

export const requestRevision = mutation({
  name: 'request-revision',
  summary: 'Ask the requester to change its request and submit it again.',
  fields: { ...DECISION_FIELDS, notes: required(body('what is to be changed')) },
  set: 'requests',
  callers: OPERATORS,
  decides: true,
  refusals: ['invalid_input', 'invalid_state', 'revision_conflict', 'not_found', 'forbidden'],
  run: (context, input) => decide(context, 'request-revision', 'request_revision', input),
  answer: DECIDED,
  lines: (answer) => drawDecision(answer),
})
