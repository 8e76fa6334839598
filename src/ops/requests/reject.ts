import { mutation } from '../kit/operation.ts'
import { confirmTo, DECIDED, DECIDES, DECISION_FIELDS, decide, drawDecision } from './decide.ts'

export const reject = mutation({
  name: 'reject',
  example: 'reject r4t8zw "Not on a Friday" --revision 1',
  summary: 'Reject a request. Its agent is told not to go ahead.',
  fields: DECISION_FIELDS,
  ...DECIDES,
  run: (context, input) => decide(context, 'reject', 'reject', input),
  answer: DECIDED,
  lines: (answer, page) => drawDecision(answer, page),
  confirm: confirmTo('Reject', 'reject'),
})
