import { mutation, PEOPLE } from '../kit/operation.ts'
import { DECIDED, DECISION_FIELDS, decide } from './decide.ts'

export const approve = mutation({
  name: 'approve',
  summary: 'Approve a request: its agent goes on.',
  fields: DECISION_FIELDS,
  set: 'none',
  callers: PEOPLE,
  guarded: true,
  refusals: ['invalid_input', 'invalid_state', 'revision_conflict', 'not_found', 'forbidden'],
  run: (context, input) => decide(context, 'approve', 'approve', input),
  answer: DECIDED,
  lines: ({ request_id, status }) => `${request_id} is ${status}\n`,
})
