import { present } from '../inbox/inbox.ts'
import { MAIL, viewMail } from '../inbox/mail-view.ts'
import { type AnswerOf, aList, aNumber, CURSOR, MORE, orNull } from '../kit/answer.ts'
import { id, int, required, self } from '../kit/field.ts'
import { ANYONE, action } from '../kit/operation.ts'
import { messagesFrom } from '../threads/show.ts'
import { DOCUMENT, type DocumentNow, describeAt } from './push-document.ts'
import { ENTRY, type EntryView, viewEntries, viewerOf, visiblePush } from './push-view.ts'

const PUSH_SHOW_ANSWER = {
  entry: ENTRY,
  documents: aList(DOCUMENT, 'as they are now; for people'),
  replies: aList(MAIL, 'the messages after it, oldest first'),
  has_more: MORE,
  next_after: orNull(aNumber('the cursor for the next page: pass it as after')),
  next_event_id: CURSOR,
}

export type PushShowAnswer = AnswerOf<typeof PUSH_SHOW_ANSWER>

export const pushShow = action({
  name: 'push show',
  example: 'push show 3f2a9c1e',
  summary: 'Show one push, the state of its documents, and the replies.',
  about:
    'Showing a push presents it; push read marks it as read. push file shows the current content of a document.',
  fields: {
    agent: self('the person or agent looking', { leftOut: 'user' }),
    entry: required(id('the push', { positional: true })),
    after: int('only replies after this one: next_after of the previous answer'),
  },
  writes: 'marks',
  set: 'workspace',
  callers: ANYONE,
  refusals: ['invalid_input', 'not_found'],
  async run(context, input): Promise<PushShowAnswer> {
    const { store, later, door } = context
    const viewer = viewerOf(context, input.agent)
    const next_event_id = await store.lastEventId()
    const item = await visiblePush(store, input.entry, viewer)
    const [[entry], page, deliveries] = await Promise.all([
      viewEntries(store, [item], viewer),
      // Skip the first message, which is the push itself.
      messagesFrom(context, input.entry, Math.max(1, input.after ?? 0)),
      store.deliveriesOf({ thread_id: input.entry }),
    ])
    const documents: DocumentNow[] = []
    for (const { path } of viewer.isPerson ? item.artifacts : []) {
      // A document whose path leads out of its workspace is shown as `outside` instead of being refused.
      const asked = { entry: input.entry, path, viewer, tellOutside: true } as const
      documents.push(await describeAt(context, asked))
    }
    const fresh = deliveries.filter(
      ({ recipient, state }) => recipient === viewer.name && state === 'queued',
    )
    if (fresh.length > 0 && !viewer.isForAnother)
      later(() => present(context, viewer.name, fresh, door))
    return {
      entry: entry as EntryView,
      documents,
      replies: page.messages.map(viewMail),
      has_more: page.has_more,
      next_after: page.next_after,
      next_event_id,
    }
  },
  answer: PUSH_SHOW_ANSWER,
  lines: async (answer, page) => (await import('./drawing.ts')).drawPush(answer, page),
  tool: {
    name: 'inbox_show',
    does: 'Read one push with what the user replied.',
    args: { entry: { required: true, about: 'entry_id of a push' } },
  },
})
