import { ANYONE, mutation } from '../kit/operation.ts'
import { LINK_FIELDS, LINKED, setLink } from './link.ts'

export const requestLink = mutation({
  name: 'request link',
  example: 'request link r4t8zw k3f9p2',
  summary: 'Say that a thread belongs to a request.',
  about: 'request get shows the thread with its subject and status to those who may see it.',
  fields: LINK_FIELDS,
  set: 'requests',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'not_found', 'forbidden'],
  run: (context, input) => setLink(context, 'request link', true, input),
  answer: LINKED,
  lines: ({ request_id, links }) =>
    `${request_id} is linked to ${links.join(', ') || 'no thread'}\n`,
})
