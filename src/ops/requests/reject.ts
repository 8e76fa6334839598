import { mutation, OPERATORS } from '../kit/operation.ts'
import { DECIDED, DECISION_FIELDS, decide, drawDecision } from './decide.ts'

export const reject = mutation({
  name: 'reject',
  summary: 'Reject a request: its agent is told not to.',
  fields: DECISION_FIELDS,
  set: 'requests',
  callers: OPERATORS,
  decides: true,
  refusals: ['invalid_input', 'invalid_state', 'revision_conflict', 'not_found', 'forbidden'],
  run: (context, input) => decide(context, 'reject', 'reject', input),
  answer: DECIDED,
  lines: (answer) => drawDecision(answer),
})
