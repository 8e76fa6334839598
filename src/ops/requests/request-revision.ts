import { body, required } from '../kit/field.ts'
import { mutation } from '../kit/operation.ts'
import {
  confirmTo,
  DECIDED,
  DECIDES,
  DECISION_FIELDS,
  decide,
  drawDecision,
  mustSayWhat,
} from './decide.ts'

export const requestRevision = mutation({
  name: 'request-revision',
  example: 'request-revision r4t8zw "Name the branch" --revision 1',
  summary: 'Ask the requester to change its request and submit it again.',
  fields: {
    ...DECISION_FIELDS,
    notes: required(body('what to change', { positional: true })),
  },
  ...DECIDES,
  check: ({ notes }) => mustSayWhat('request_revision', notes),
  run: (context, input) => decide(context, 'request-revision', 'request_revision', input),
  answer: DECIDED,
  lines: (answer, page) => drawDecision(answer, page),
  confirm: confirmTo('Ask for changes of', 'request_revision'),
})
