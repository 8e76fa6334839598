import { mutation } from '../kit/operation.ts'
import { confirmTo, DECIDED, DECIDES, DECISION_FIELDS, decide, drawDecision } from './decide.ts'

export const reject = mutation({
  name: 'reject',
  summary: 'Reject a request: its agent is told not to.',
  fields: DECISION_FIELDS,
  ...DECIDES,
  run: (context, input) => decide(context, 'reject', 'reject', input),
  answer: DECIDED,
  lines: (answer) => drawDecision(answer),
  confirm: confirmTo('Reject'),
})
