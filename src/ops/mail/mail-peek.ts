import { field, refuse } from '../../core/error.ts'
import { checkLook, INBOX, type Inbox, LOOK_FIELDS, look, lookingAt } from '../inbox/inbox.ts'
import { flag } from '../kit/field.ts'
import { ANYONE, query } from '../kit/operation.ts'

export const mailPeek = query({
  name: 'mail peek',
  example: 'mail peek --agent worker',
  summary: 'Look at unread mail. Changes nothing.',
  about:
    'Lists what mail read would list without changing anything: no message is presented, read or taken from a role’s queue.',
  fields: { ...LOOK_FIELDS, newest: flag('list the latest unread messages, newest first') },
  set: 'mailbox',
  callers: ANYONE,
  refusals: ['invalid_input', 'not_found', 'forbidden', 'cursor_expired'],
  check(input) {
    checkLook(input)
    if (input.newest && (input.since !== undefined || input.all))
      throw refuse.invalid_input`${field('newest')} lists what is unread now; leave out ${field('since')} and ${field('all')}`
  },
  async run(context, input): Promise<Inbox> {
    const { store } = context
    const looking = await lookingAt(context, input)
    if (!input.newest) return (await look(store, looking)).inbox
    const places = await store.unreadPlaces(looking.recipient, 0, Number.MAX_SAFE_INTEGER)
    // A page that doesn't fit leaves out the newest mail, so ask for fewer messages until all of them fit.
    for (let { limit } = looking; ; limit = Math.ceil(limit / 2)) {
      const after = places.at(-limit - 1)?.event_id ?? 0
      const { inbox } = await look(store, { ...looking, after })
      if (inbox.has_more && limit > 1) continue
      return { ...inbox, messages: inbox.messages.toReversed(), has_more: after > 0 }
    }
  },
  nothing: ({ messages }) => messages.length === 0,
  answer: INBOX,
  lines: async (answer, page) => (await import('./drawing.ts')).drawInbox(answer, page),
})
