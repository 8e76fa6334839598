import { type AnswerOf, aText, CURSOR, orNull } from '../kit/answer.ts'
import { flag, id, path, required, self } from '../kit/field.ts'
import { OPERATORS, query } from '../kit/operation.ts'
import { contentOf, DOCUMENT_HOLDS, describe, openDocument } from './push-document.ts'
import { personLooking } from './push-view.ts'

const SHOWN_DOCUMENT = {
  ...DOCUMENT_HOLDS,
  content: orNull(aText('its content')),
  encoding: orNull(aText<'utf-8' | 'base64'>('utf-8 or base64')),
  next_event_id: CURSOR,
}

export type ShownDocument = AnswerOf<typeof SHOWN_DOCUMENT>

export const pushFile = query({
  name: 'push file',
  example: 'push file 3f2a9c1e report.md',
  summary: 'Read the current content of a document of a push.',
  about:
    'A text file of up to one mebibyte comes as text with its probable language, an image as base64; larger files and other kinds can be downloaded from a server. A missing file or workspace is a state in the answer, not a refusal. A path outside the workspace is refused.',
  fields: {
    agent: self('the person reading', { leftOut: 'user' }),
    entry: required(id('the push', { positional: true })),
    path: required(path('the file, relative to the workspace', { positional: true })),
    describe: flag('only describe the file; leave out its content'),
  },
  set: 'workspace',
  callers: OPERATORS,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  async run(context, input): Promise<ShownDocument> {
    const { store } = context
    const viewer = personLooking(context, input.agent)
    const opened = await openDocument(context, { entry: input.entry, path: input.path, viewer })
    const { document } = opened
    try {
      const now = await describe(opened)
      const { content, encoding } =
        document.state === 'there' && !input.describe
          ? await contentOf(document, now)
          : { content: null, encoding: null }
      return { ...now, content, encoding, next_event_id: await store.lastEventId() }
    } finally {
      if (document.state === 'there') document.close()
    }
  },
  answer: SHOWN_DOCUMENT,
  lines: async (answer, page) => (await import('./drawing.ts')).drawFile(answer, page),
})
