import { ANYONE, mutation } from '../kit/operation.ts'
import { LINK_FIELDS, LINKED, setLink } from './request-link.ts'

export const requestUnlink = mutation({
  name: 'request unlink',
  example: 'request unlink r4t8zw k3f9p2',
  summary: 'Unlink a thread from a request.',
  fields: LINK_FIELDS,
  set: 'requests',
  callers: ANYONE,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  run: (context, input) => setLink(context, 'request unlink', false, input),
  answer: LINKED,
  lines: ({ request_id, links }) =>
    `${request_id} is linked to ${links.join(', ') || 'no thread'}\n`,
})
