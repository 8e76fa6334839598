import { checkLook, type Inbox, LOOK_FIELDS, look, lookingAt } from './inbox.ts'
import { ANYONE, query } from './operation.ts'

export const mailPeek = query({
  name: 'mail peek',
  summary: 'Look into an inbox. Changes nothing.',
  about:
    'Lists what mail read would list, and changes nothing: nothing is presented or read, or taken from the queue of a role.',
  fields: LOOK_FIELDS,
  set: 'mailbox',
  callers: ANYONE,
  refusals: ['invalid_input', 'not_found', 'forbidden', 'cursor_expired'],
  check: checkLook,
  async run({ store }, input): Promise<Inbox> {
    const { inbox } = await look(store, await lookingAt(store, input))
    return inbox
  },
  nothing: ({ messages }) => messages.length === 0,
})
