import { json, text } from '../kit/field.ts'
import { mutation } from '../kit/operation.ts'
import { confirmTo, DECIDED, DECIDES, DECISION_FIELDS, decide, drawDecision } from './decide.ts'

export const approve = mutation({
  name: 'approve',
  example: 'approve r4t8zw --revision 1',
  summary: 'Approve a request, or answer a question, so that its agent continues.',
  about:
    'Answer a question with --answer, as text or one of its options, or with --values if it has a form. If the request is editable, --payload approves that payload instead of the one asked for.',
  fields: {
    ...DECISION_FIELDS,
    answer: text('the answer to a question', { max: 10_000 }),
    values: json('the answer to the question’s form, as a JSON object', { exact: true }),
    payload: json('what to approve instead, as a JSON object', { max: 1_048_576, exact: true }),
  },
  ...DECIDES,
  run: (context, input) => decide(context, 'approve', 'approve', input, input),
  answer: DECIDED,
  lines: (answer, page) => drawDecision(answer, page),
  confirm: confirmTo('Approve', 'approve'),
})
