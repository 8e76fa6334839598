import { mutation } from '../kit/operation.ts'
import { LINKING, setLink } from './request-link.ts'

export const requestUnlink = mutation({
  name: 'request unlink',
  example: 'request unlink r4t8zw k3f9p2',
  summary: 'Unlink a thread from a request.',
  ...LINKING,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  run: (context, input) => setLink(context, 'request unlink', false, input),
})
